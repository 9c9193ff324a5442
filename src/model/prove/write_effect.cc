// The items that a write must change follow from the rows, not from the code of the write: the rows near the change are rendered twice,
// before and after it, and the two pictures are compared item by item. So a copy, an embedded list or a total that somebody forgot shows
// up as a difference, and nobody has to list which items a step touches.
//
// The order matters: first the changed rows, then the totals that follow from them (AddAggregates changes parents, whose items then
// differ too), then the comparison. `kNear` renders only rows that can share an item with a changed one (surroundings.h), which gives
// the same writes as rendering all: tests compare the two.
#include "model/prove/write_effect.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/data/evaluate.h"
#include "model/data/item_changes.h"
#include "model/data/item_render.h"
#include "model/data/surroundings.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

// The chosen rows of a dataset, before and after the changes.
struct Pictures {
  Dataset before;
  Dataset after;
  // The numbers of their rows; a new row has a number after all others.
  std::map<std::string, std::vector<std::size_t>> numbers;
  std::map<std::string, std::vector<std::size_t>> numbers_after;
};

Pictures Picture(const Model& model, const std::vector<RowChange>& changes, const Dataset& data,
                 WriteScope scope) {
  Pictures pictures;
  Dataset added;
  TouchedRows touched;
  std::map<std::string, std::map<std::size_t, const RowChange*>> changed;
  for (const RowChange& change : changes) {
    std::vector<Row>& rows = added.rows[change.entity];
    const std::size_t next = data.Of(change.entity).size() + rows.size();
    const std::size_t number = change.number.value_or(next);
    if (!change.number) {
      rows.push_back(*change.row);
    }
    touched[change.entity].insert(number);
    changed[change.entity][number] = &change;
  }
  const RowsWith with(data, added);
  const TouchedRows kept = scope == WriteScope::kAll ? AllRows(with) : Near(model, touched, with);
  for (const auto& [entity, numbers] : kept) {
    const std::size_t first_new = data.Of(entity).size();
    for (const std::size_t number : numbers) {
      const bool is_new = number >= first_new;
      const Row& row = with.At(entity, number);
      if (!is_new) {
        pictures.before.rows[entity].push_back(row);
        pictures.numbers[entity].push_back(number);
      }
      const auto change = changed[entity].find(number);
      const bool is_changed = change != changed[entity].end() && !is_new;
      if (is_changed && !change->second->row) {
        continue;
      }
      pictures.after.rows[entity].push_back(is_changed ? *change->second->row : row);
      pictures.numbers_after[entity].push_back(number);
    }
  }
  return pictures;
}

// The attributes of an entity's items that are sums and counts.
std::map<std::string, std::vector<std::string>> TotalsOf(const Model& model) {
  std::map<std::string, std::vector<std::string>> totals;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (IsTotal(stored)) {
          totals[layout.entity.text].push_back(stored.name.text);
        }
      }
    }
  }
  return totals;
}

// Parents whose sums or counts the changes have made different. The pictures may lack rows of a parent that no change concerns: its
// totals, as far as the pictures have its rows, are the same in both, and stay what they are.
void AddAggregates(const Model& model, Pictures& pictures, std::vector<RowChange>& changes) {
  const std::map<std::string, std::vector<std::string>> totals = TotalsOf(model);
  if (totals.empty()) {
    return;
  }
  Dataset derived = pictures.before;
  DeriveAggregates(model, derived);
  const Dataset given = pictures.after;
  DeriveAggregates(model, pictures.after);
  for (const auto& [parent, names] : totals) {
    const std::vector<std::size_t>& numbers = pictures.numbers[parent];
    const std::vector<std::size_t>& numbers_after = pictures.numbers_after[parent];
    for (std::size_t i = 0; i < numbers_after.size(); ++i) {
      const auto found = std::ranges::lower_bound(numbers, numbers_after[i]);
      if (found == numbers.end() || *found != numbers_after[i]) {
        continue;  // New parents are changes already.
      }
      const auto at = static_cast<std::size_t>(found - numbers.begin());
      const Row& before = pictures.before.Of(parent)[at];
      Row& after = pictures.after.rows[parent][i];
      for (const std::string& name : names) {
        if (*derived.Of(parent)[at].Find(name) == *after.Find(name)) {
          const AttributeValue* kept = given.Of(parent)[i].Find(name);
          if (kept != nullptr) {
            after.Set(name, *kept);
          } else {
            after.Remove(name);
          }
        }
      }
      if (!(before == after)) {
        changes.push_back({parent, numbers_after[i], after});
      }
    }
  }
}

// True if the change is one of copies and sums elsewhere that a stream or a batch keeps right.
bool IsKeptLater(const Model& model, const ItemChange& change, const WriteStep& step) {
  const ItemLayout* layout = model.FindPlacement(change.entity).layout;
  if (model.RowsOf(change.entity) == step.entity.text || !change.before || !change.after ||
      layout == nullptr) {
    return false;
  }
  const ItemLayout* first = model.FindPlacement(model.RowsOf(change.entity)).layout;
  bool any = false;
  std::set<std::string> names;
  for (const auto* item : {&*change.before, &*change.after}) {
    for (const auto& [name, value] : *item) {
      names.insert(name);
    }
  }
  for (const std::string& name : names) {
    const AttributeValue* before = change.before->Find(name);
    const AttributeValue* after = change.after->Find(name);
    if (before != nullptr && after != nullptr && *before == *after) {
      continue;
    }
    // A second layout holds the sums of the first as plain attributes.
    const StoredAttribute* stored = layout->Find(name);
    if (stored == nullptr && first != nullptr) {
      stored = first->Find(name);
    }
    // A row inside the item is what the step itself writes.
    if (stored == nullptr || stored->embedded == step.entity) {
      return false;
    }
    if (stored->kind == StoredKind::kTemplate) {
      continue;
    }
    const bool sum = IsTotal(*stored);
    if (stored->upkeep == CopyUpkeep::kTransaction ||
        (sum && stored->upkeep == CopyUpkeep::kNotStated)) {
      return false;
    }
    any = true;
  }
  return any;
}

// A condition is checked on the items of the row that hold what it reads; a row with one layout has no choice.
bool CanCheck(const Model& model, const std::string& layout, const WriteStep& step) {
  const ItemLayout& items = *model.FindPlacement(layout).layout;
  return model.LayoutsOf(step.entity.text).size() == 1 ||
         std::ranges::none_of(step.guard, [&](const Condition& condition) {
           return items.Omits(condition.attribute.text);
         });
}

ItemWrite ToWrite(const Model& model, const ItemChange& change, const WriteStep& step,
                  const Row* updated) {
  const bool own = model.RowsOf(change.entity) == step.entity.text;
  const bool lock = IsLock(change.entity);
  ItemWrite write{
      change.table->name.text, change.key, change.before, change.after, false, false, {}};
  write.once = !change.before && (lock || (step.once && own));
  write.partial = (step.kind == WriteKind::kUpdate || !own) && change.before && change.after;
  if (own && updated != nullptr && CanCheck(model, change.entity, step)) {
    write.guard = BindConditions(step.guard, *updated);
  }
  return write;
}

}  // namespace

WriteEffect EffectOfRows(const Model& model, const WriteStep& step, std::vector<RowChange> rows,
                         const Dataset& data, WriteScope scope) {
  WriteEffect effect;
  Pictures pictures = Picture(model, rows, data, scope);
  AddAggregates(model, pictures, rows);
  const Row* updated = nullptr;
  if (step.kind != WriteKind::kPut && !rows.empty() && rows[0].number) {
    updated = &data.Of(step.entity.text)[*rows[0].number];
  }
  for (const ItemChange& change : ChangesBetween(model, pictures.before, pictures.after)) {
    if (step.kind == WriteKind::kPut && model.RowsOf(change.entity) == step.entity.text &&
        change.before && !rows.empty() && !rows[0].number) {
      effect.replaced = change.entity;
    }
    effect.writes.push_back(ToWrite(model, change, step, updated));
    effect.writes.back().later = IsKeptLater(model, change, step);
  }
  const bool unchecked = std::ranges::all_of(
      effect.writes, [](const ItemWrite& write) { return write.guard.empty(); });
  if (!step.guard.empty() && updated != nullptr && !effect.writes.empty() && unchecked) {
    effect.impossible = "none of the items that it writes holds what its condition reads";
  }
  effect.rows = std::move(rows);
  effect.after = std::move(pictures.after);
  return effect;
}

WriteEffect EffectOfStep(const Model& model, const BoundStep& bound, const Dataset& data,
                         WriteScope scope) {
  return EffectOfRows(model, *bound.step, RowsOfStep(model, bound, data).changes, data, scope);
}

}  // namespace prejoin::model
