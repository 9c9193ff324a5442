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

constexpr std::size_t kForEachRowsMax = 25;
constexpr int kFreshTriesMax = 100;

// Whether an update makes the row different: `set status = "DONE"` leaves a row that is done as it is.
bool Changes(const WriteStep& step, const Row& row) {
  return step.values.size() < step.set.size() || !step.remove.empty() ||
         std::ranges::any_of(step.values, [&](const Setting& setting) {
           const AttributeValue* value = row.Find(setting.attribute.text);
           return !setting.value.parameter.empty() || value == nullptr ||
                  !(*value == setting.value.literal);
         });
}

// Of several rows that a condition could choose from: the first for which it holds and that the update changes.
std::optional<std::size_t> RowToUpdate(const WriteStep& step, const std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!Changes(step, rows[i])) {
      continue;
    }
    const std::vector<Condition> bound = BindConditions(step.guard, rows[i]);
    const bool has_what_goes =
        step.remove.empty() || std::ranges::any_of(step.remove, [&](const Name& name) {
          return rows[i].Find(name.text) != nullptr;
        });
    if (has_what_goes && std::ranges::all_of(bound, [&](const Condition& one) {
          return ConditionHolds(one, rows[i], {});
        })) {
      return i;
    }
  }
  return std::nullopt;
}

// The rows under the last value of the leading key: the followers of one author.
std::vector<const Row*> GroupOf(const Entity& entity, const Dataset& data) {
  std::vector<const Row*> group;
  const std::vector<Row>& rows = data.Of(entity.name.text);
  if (rows.empty() || entity.KeyNames().empty()) {
    return group;
  }
  const std::string leading = entity.KeyNames().front();
  const AttributeValue* wanted = rows.back().Find(leading);
  for (const Row& row : rows) {
    const AttributeValue* value = row.Find(leading);
    if (wanted != nullptr && value != nullptr && *value == *wanted &&
        group.size() < kForEachRowsMax) {
      group.push_back(&row);
    }
  }
  return group;
}

// The attribute of `to` that the other end of a row of `from` goes to: both come from the same place.
void PointAtOtherEnd(const Entity& from, const Row& source, const Entity& to, Row& row) {
  const std::vector<std::string> keys = from.KeyNames();
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Attribute* end = from.Find(keys[i]);
    const AttributeValue* value = source.Find(keys[i]);
    if (end == nullptr || !end->references || value == nullptr) {
      continue;
    }
    for (const Attribute& attribute : to.attributes) {
      if (!attribute.references || !(attribute.references->entity == end->references->entity)) {
        continue;
      }
      row.Set(attribute.name.text, *value);
      return;
    }
  }
}

// A value of an optional attribute for a row that lacks it. One that references a row takes the value of another row that has it.
AttributeValue ValueFor(const Attribute& attribute, const std::vector<Row>& rows) {
  const auto other = std::ranges::find_if(
      rows, [&](const Row& row) { return row.Find(attribute.name.text) != nullptr; });
  return attribute.references && other != rows.end() ? *other->Find(attribute.name.text)
                                                     : DifferentValue(attribute, nullptr);
}

// What the step says about its new rows: `with opened, state = "OPEN" without winner`.
void ApplyPresence(const WriteStep& step, const Entity& entity, const std::vector<Row>& rows,
                   Row& row) {
  for (const Name& name : step.with) {
    const Attribute* attribute = entity.Find(name.text);
    if (attribute != nullptr && row.Find(name.text) == nullptr) {
      row.Set(name.text, ValueFor(*attribute, rows));
    }
  }
  for (const Setting& setting : step.values) {
    if (setting.value.parameter.empty()) {
      row.Set(setting.attribute.text, setting.value.literal);
    }
  }
  for (const Name& name : step.without) {
    row.Remove(name.text);
  }
}

std::vector<RowChange> NewRows(const Model& model, const WriteStep& step, const Entity& entity,
                               const Dataset& data) {
  std::vector<RowChange> changes;
  std::vector<Row> made;
  const auto add = [&](Row row) {
    ApplyPresence(step, entity, data.Of(entity.name.text), row);
    made.push_back(row);
    changes.push_back({entity.name.text, std::nullopt, std::move(row)});
  };
  const Entity* each = model.FindEntity(step.for_each.text);
  if (each == nullptr) {
    for (int i = 0; i < step.times; ++i) {
      add(FreshRow(entity, data, made));
    }
    return changes;
  }
  for (const Row* source : GroupOf(*each, data)) {
    Row row = FreshRow(entity, data, made);
    PointAtOtherEnd(*each, *source, entity, row);
    add(std::move(row));
  }
  return changes;
}

std::vector<RowChange> Deleted(const Model& model, const WriteStep& step, const Entity& entity,
                               const Dataset& data) {
  const std::vector<Row>& rows = data.Of(entity.name.text);
  std::vector<RowChange> changes = {{entity.name.text, rows.size() - 1, std::nullopt}};
  for (const Name& name : step.cascade) {
    const Entity* child = model.FindEntity(name.text);
    if (child == nullptr) {
      continue;
    }
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (const JoinColumn& column : JoinColumns(*child, entity)) {
      from.push_back(column.from);
      to.push_back(column.to);
    }
    const std::string parent = TupleText(rows.back(), to);
    const std::vector<Row>& children = data.Of(name.text);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!parent.empty() && TupleText(children[i], from) == parent) {
        changes.push_back({name.text, i, std::nullopt});
      }
    }
  }
  return changes;
}

// The chosen rows of a dataset, before and after the changes.
struct Pictures {
  Dataset before;
  Dataset after;
  std::map<std::string, std::vector<std::size_t>> numbers;  // Of the rows of `before`.
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
      if (change == changed[entity].end() || is_new) {
        pictures.after.rows[entity].push_back(row);
      } else if (change->second->row) {
        pictures.after.rows[entity].push_back(*change->second->row);
      }
    }
  }
  return pictures;
}

// Parents whose sums or counts the changes have made different.
void AddAggregates(const Model& model, Pictures& pictures, std::vector<RowChange>& changes) {
  std::set<std::string> parents;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      const bool has = std::ranges::any_of(
          layout.attributes, [](const StoredAttribute& stored) { return IsTotal(stored); });
      if (has) {
        parents.insert(layout.entity.text);
      }
    }
  }
  if (parents.empty()) {
    return;
  }
  DeriveAggregates(model, pictures.after);
  for (const std::string& parent : parents) {
    const std::vector<Row>& before = pictures.before.Of(parent);
    const std::vector<Row>& after = pictures.after.Of(parent);
    // New or deleted parents are changes already.
    if (before.size() != after.size()) {
      continue;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!(before[i] == after[i])) {
        changes.push_back({parent, pictures.numbers[parent][i], after[i]});
      }
    }
  }
}

// Whether the change is one of copies and sums elsewhere that a stream or a batch keeps right.
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

// Another value while a row has this one.
void MakeUnique(const Attribute& attribute, std::initializer_list<const std::vector<Row>*> taken,
                Row& row) {
  const std::string& name = attribute.name.text;
  const auto used = [&](const AttributeValue& value) {
    return std::ranges::any_of(taken, [&](const std::vector<Row>* rows) {
      return std::ranges::any_of(*rows, [&](const Row& one) {
        const AttributeValue* other = one.Find(name);
        return other != nullptr && *other == value;
      });
    });
  };
  for (int i = 0; row.Find(name) != nullptr && used(*row.Find(name)) && i < kFreshTriesMax; ++i) {
    row.Set(name, DifferentValue(attribute, row.Find(name)));
  }
}

}  // namespace

Row UpdatedRow(const Entity& entity, const WriteStep& step, Row row) {
  for (const Name& name : step.set) {
    const Attribute* attribute = entity.Find(name.text);
    if (attribute == nullptr) {
      continue;
    }
    const auto counted = std::ranges::find(step.increments, name, &Increment::attribute);
    const auto setting = std::ranges::find(step.values, name, &Setting::attribute);
    if (setting != step.values.end() && setting->value.parameter.empty()) {
      row.Set(name.text, setting->value.literal);
      continue;
    }
    if (counted == step.increments.end()) {
      row.Set(name.text, DifferentValue(*attribute, row.Find(name.text)));
      continue;
    }
    const Number by(static_cast<std::int64_t>(counted->by));
    const AttributeValue* old_value = row.Find(name.text);
    const Number old_number =
        old_value != nullptr && old_value->number() != nullptr ? *old_value->number() : Number(0);
    if (auto sum = Number::Add(old_number, by)) {
      row.Set(name.text, AttributeValue(*sum));
    }
  }
  for (const Name& name : step.remove) {
    row.Remove(name.text);
  }
  return row;
}

AttributeValue DifferentValue(const Attribute& attribute, const AttributeValue* value) {
  for (const AttributeValue& one : attribute.values) {
    if (value == nullptr || !(one == *value)) {
      return one;
    }
  }
  if (!attribute.members.empty()) {
    const AttributeValue* old_map = value;
    if (value != nullptr && value->list() != nullptr) {
      old_map = value->list()->empty() ? nullptr : &value->list()->front();
    }
    Item map;
    for (const Attribute& member : attribute.members) {
      const AttributeValue* old_value = old_map != nullptr && old_map->map() != nullptr
                                            ? old_map->map()->Find(member.name.text)
                                            : nullptr;
      map.Set(member.name.text, DifferentValue(member, old_value));
    }
    if (attribute.type == AttributeType::kMap) {
      return AttributeValue(std::move(map));
    }
    return AttributeValue(AttributeValue::List{AttributeValue(std::move(map))});
  }
  return AnotherValue(attribute.type, value);
}

// A key that points at other rows points at rows that are there, if any pair of them is free.
Row FreshRow(const Entity& entity, const Dataset& data, const std::vector<Row>& also_taken) {
  const std::vector<Row>& rows = data.Of(entity.name.text);
  Row row = rows.empty() ? Row() : rows.back();
  const Attribute* last_key = nullptr;
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && !attribute.is_key) {
      MakeUnique(attribute, {&rows, &also_taken}, row);
    }
    if (!attribute.is_key) {
      continue;
    }
    if (last_key == nullptr || !attribute.references || last_key->references) {
      last_key = &attribute;
    }
  }
  if (last_key == nullptr) {
    return row;
  }
  // Only the last part of the key changes, so only rows with the same others count.
  const std::vector<std::string> keys = entity.KeyNames();
  std::vector<std::string> others = keys;
  std::erase(others, last_key->name.text);
  const std::string near = TupleText(row, others);
  std::set<std::string> taken;
  for (const std::vector<Row>* all : {&rows, &also_taken}) {
    for (const Row& one : *all) {
      if (TupleText(one, others) == near) {
        taken.insert(TupleText(one, keys));
      }
    }
  }
  if (last_key->references) {
    Row linked = row;
    for (const Row& target : data.Of(last_key->references->entity.text)) {
      const AttributeValue* value = target.Find(last_key->references->attribute.text);
      if (value == nullptr) {
        continue;
      }
      linked.Set(last_key->name.text, *value);
      if (!taken.contains(TupleText(linked, keys))) {
        return linked;
      }
    }
  }
  for (int i = 0; taken.contains(TupleText(row, keys)) && i < kFreshTriesMax; ++i) {
    row.Set(last_key->name.text, DifferentValue(*last_key, row.Find(last_key->name.text)));
  }
  return row;
}

std::vector<Condition> BindConditions(const std::vector<Condition>& conditions, const Row& row) {
  std::vector<Condition> bound = conditions;
  for (Condition& condition : bound) {
    const AttributeValue* value = row.Find(condition.attribute.text);
    for (Operand& operand : condition.operands) {
      if (operand.parameter.empty()) {
        continue;
      }
      operand.parameter.clear();
      if (value == nullptr) {
        continue;
      }
      operand.literal = *value;
      const bool number = value->number() != nullptr;
      if (number && condition.comparison == Comparison::kLess) {
        operand.literal = AttributeValue(*Number::Add(*value->number(), Number(1)));
      }
      if (number && condition.comparison == Comparison::kGreater) {
        operand.literal = AttributeValue(*Number::Add(*value->number(), Number(-1)));
      }
      if (condition.comparison == Comparison::kNotEqual) {
        operand.literal = number ? AttributeValue(*Number::Add(*value->number(), Number(1)))
                                 : AttributeValue("another value");
      }
    }
  }
  return bound;
}

RowUndo ApplyChanges(const std::vector<RowChange>& changes, Dataset& data) {
  RowUndo undo;
  for (const RowChange& change : changes) {
    std::vector<Row>& rows = data.rows[change.entity];
    if (!change.number) {
      continue;
    }
    Row& row = rows[*change.number];
    if (!change.row) {
      undo.gone[change.entity].try_emplace(*change.number, row);
      continue;
    }
    undo.updated[change.entity].try_emplace(*change.number, row);
    row = *change.row;
  }
  for (const auto& [entity, removed] : undo.gone) {
    std::vector<Row>& rows = data.rows[entity];
    for (auto one = removed.rbegin(); one != removed.rend(); ++one) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(one->first));
    }
  }
  for (const RowChange& change : changes) {
    if (change.number || !change.row) {
      continue;
    }
    data.rows[change.entity].push_back(*change.row);
    ++undo.added[change.entity];
  }
  return undo;
}

void TakeBackChanges(const RowUndo& undo, Dataset& data) {
  for (const auto& [entity, count] : undo.added) {
    std::vector<Row>& rows = data.rows[entity];
    rows.erase(rows.end() - static_cast<std::ptrdiff_t>(count), rows.end());
  }
  for (const auto& [entity, removed] : undo.gone) {
    std::vector<Row>& rows = data.rows[entity];
    for (const auto& [number, row] : removed) {
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(number), row);
    }
  }
  for (const auto& [entity, updated] : undo.updated) {
    for (const auto& [number, row] : updated) {
      data.rows[entity][number] = row;
    }
  }
}

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
        change.before) {
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

WriteEffect EffectOfStep(const Model& model, const WriteStep& step, const Dataset& data,
                         WriteScope scope) {
  WriteEffect none;
  const Entity* entity = model.FindEntity(step.entity.text);
  const std::vector<Row>& rows = data.Of(step.entity.text);
  if (entity == nullptr || rows.empty()) {
    none.impossible =
        "there is no row of " + step.entity.text + " to work on: add some to the sample";
    return none;
  }
  std::vector<RowChange> changes;
  if (step.kind == WriteKind::kPut) {
    changes = NewRows(model, step, *entity, data);
  } else if (step.kind == WriteKind::kDelete) {
    changes = Deleted(model, step, *entity, data);
  } else if (const auto number = RowToUpdate(step, rows)) {
    changes = {{step.entity.text, *number, UpdatedRow(*entity, step, rows[*number])}};
  }
  if (changes.empty()) {
    const bool none_changes =
        step.kind == WriteKind::kUpdate &&
        std::ranges::none_of(rows, [&](const Row& row) { return Changes(step, row); });
    none.impossible =
        none_changes ? "every row of " + step.entity.text +
                           " has what this update sets already: add another one to the sample"
        : step.for_each.text.empty() ? "there is no row of " + step.entity.text +
                                           " for which the condition holds: add one to the sample"
                                     : "there is no row of " + step.for_each.text + " to do it for";
    return none;
  }
  return EffectOfRows(model, step, std::move(changes), data, scope);
}

}  // namespace prejoin::model
