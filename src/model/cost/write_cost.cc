// The cost of one step.
//
//   put     the item; each index entry, as often as its key attributes are there
//   update  the larger of old and new item; an index entry once when only projected attributes change, twice when its
//           key changes (the old entry goes, the new one comes), once when it enters or leaves a sparse index
//   update of the table's key   the item cannot move: it is deleted and put, in one transaction
//   delete  the item and its entries; with `with`, the same for each child
//
// In a transaction the table's own units count twice, because AWS prepares and commits each write; an index entry costs
// what it costs outside of one. The factor is that of the engine, whose ConsumedCapacity `prove` compares with the
// prediction.
#include "model/cost/write_cost.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/limits.h"
#include "model/cost/find_copies.h"
#include "model/plan/planner.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

constexpr double kTransactionFactor = 2;
constexpr double kLockUnits = 1;

std::set<std::string> Texts(const std::vector<Name>& names) {
  std::set<std::string> texts;
  for (const Name& name : names) {
    texts.insert(name.text);
  }
  return texts;
}

std::set<std::string> Changed(const WriteStep& step) {
  std::set<std::string> changed = Texts(step.set);
  changed.merge(Texts(step.remove));
  return changed;
}

bool Intersects(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return b.contains(one); });
}

// The update touches what the table's key of this layout is made of.
bool MovesItem(const Model& model, const WriteStep& step, const Model::Placement& placement) {
  return step.kind == WriteKind::kUpdate && placement &&
         Intersects(Changed(step), KeyAttributes(model, placement.layout->entity,
                                                 View{placement.table, nullptr}));
}

bool MovesAnItem(const Model& model, const WriteStep& step) {
  return std::ranges::any_of(model.LayoutsOf(step.entity), [&](const auto& placement) {
    return MovesItem(model, step, placement);
  });
}

// Whether the items of a layout differ after an update: it stores what changes, or has it in a key.
bool IsTouched(const ItemLayout& layout, const std::set<std::string>& changed) {
  return std::ranges::any_of(changed, [&](const std::string& name) {
    if (!layout.Omits(name)) {
      return true;
    }
    return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
      const std::vector<std::string> parts = stored.key.Attributes();
      return std::ranges::find(parts, name) != parts.end();
    });
  });
}

bool TouchesLock(const Model& model, const WriteStep& step) {
  const Model::Placement placement = model.FindPlacement(step.entity);
  if (!placement || placement.layout->locks.empty()) {
    return false;
  }
  return step.kind != WriteKind::kUpdate ||
         Intersects(Changed(step), Texts(placement.layout->locks));
}

// Calls `visit` for each attribute of an item elsewhere that the step makes wrong, with what it holds.
template <class Visit>
void ForEachDerived(const Model& model, const WriteStep& step, const Visit& visit) {
  const std::set<std::string> changed = Changed(step);
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        const bool aggregate = IsTotal(stored);
        if (!aggregate || !(stored.copy.entity == step.entity)) {
          continue;
        }
        if (step.kind == WriteKind::kUpdate && !changed.contains(stored.copy.attribute.text)) {
          continue;
        }
        visit(table, layout, stored);
        for (const Model::Placement& other : model.LayoutsOf(layout.entity)) {
          if (other.layout != &layout && !other.layout->Omits(stored.name.text)) {
            visit(*other.table, *other.layout, stored);
          }
        }
      }
    }
  }
}

class StepCost {
 public:
  StepCost(Expectations& figures, const WriteStep& step, double factor)
      : figures_(figures), model_(figures.model()), step_(step), factor_(factor) {}

  WriteCost Run() {
    const double rows = RowsWritten(figures_, step_);
    for (const Reference<Entity>& owner : ItemOwners(step_.entity)) {
      AddItem(owner, rows);
    }
    if (step_.kind == WriteKind::kUpdate) {
      AddCopies();
    }
    AddLocks(rows);
    ForEachDerived(
        model_, step_,
        [&](const Table& table, const ItemLayout& layout, const StoredAttribute& stored) {
          const bool at_once =
              stored.upkeep == CopyUpkeep::kTransaction || stored.upkeep == CopyUpkeep::kNotStated;
          // A transaction changes an item once, however many of its rows come or go.
          AddElsewhere("sums", table, layout, stored.name.text, at_once ? rows / step_.times : rows,
                       at_once ? factor_ : 1);
        });
    for (const Reference<Entity>& child : step_.cascade) {
      AddCascade(child);
    }
    for (const auto& [view, units] : cost_.units) {
      cost_.total_units += units;
    }
    return std::move(cost_);
  }

 private:
  // An entity without items of its own is part of other items, which are written again.
  std::vector<Reference<Entity>> ItemOwners(const Reference<Entity>& entity) const {
    std::vector<Reference<Entity>> owners;
    for (const Model::Placement& placement : LayoutsWritten(model_, step_)) {
      owners.push_back(placement.layout->entity);
    }
    if (model_.FindPlacement(entity)) {
      return owners;
    }
    for (const Table& table : model_.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          if (stored.embedded == entity) {
            owners.push_back(layout.entity);
          }
        }
      }
    }
    return owners;
  }

  // Whether items of this layout are the rows that the step writes.
  bool IsOfStep(const Reference<Entity>& layout) const {
    return model_.RowsOf(layout).name == step_.entity;
  }

  // How often the item is: a delete and a put where it moves; not at all where a second layout does not have the row.
  double ItemWrites(const Reference<Entity>& owner, const Model::Placement& placement) {
    if (!IsOfStep(owner)) {
      return 1;
    }
    const bool moves = MovesItem(model_, step_, placement);
    if (placement.layout->of.text.empty()) {
      return moves ? 2 : 1;
    }
    const View base{placement.table, nullptr};
    const std::set<std::string> keys = KeyAttributes(model_, owner, base);
    if (Intersects(Texts(step_.remove), keys)) {
      return Leaving(owner, keys);
    }
    return moves ? MovedEntries(owner, keys) : figures_.PresenceIn(owner, base);
  }

  // The share of the rows that the step may change which have these attributes: a condition says of some that they are there, or not.
  double PresenceBefore(const Reference<Entity>& owner, std::set<std::string> attributes) {
    if (IsOfStep(owner)) {
      for (const Condition& condition : step_.guard) {
        if (condition.comparison == Comparison::kNotExists &&
            attributes.contains(condition.attribute.text)) {
          return 0;
        }
        if (condition.comparison != Comparison::kNotEqual) {
          attributes.erase(condition.attribute.text);
        }
      }
    }
    return figures_.Presence(owner, attributes);
  }

  double Leaving(const Reference<Entity>& owner, std::set<std::string> keys) {
    for (const std::string& name : Texts(step_.remove)) {
      keys.erase(name);
    }
    return PresenceBefore(owner, std::move(keys));
  }

  // The old entry goes and the new one comes. It was not there before in as many cases as the attributes that are set
  // were absent.
  double MovedEntries(const Reference<Entity>& owner, const std::set<std::string>& keys) {
    std::set<std::string> set_keys;
    for (const std::string& name : Texts(step_.set)) {
      if (keys.contains(name)) {
        set_keys.insert(name);
      }
    }
    const double before = PresenceBefore(owner, std::move(set_keys));
    return 2 * before + (1 - before);
  }

  // How often a new row has an entry, by what the put says about optional attributes.
  double NewEntries(const Reference<Entity>& owner, const View& view) {
    std::set<std::string> keys = KeyAttributes(model_, owner, view);
    if (Intersects(Texts(step_.without), keys)) {
      return 0;
    }
    for (const Name& name : step_.with) {
      keys.erase(name.text);
    }
    return figures_.Presence(owner, keys);
  }

  // How often an index entry is written when the step writes one row.
  double EntryWrites(const Reference<Entity>& owner, const ItemLayout& layout, const View& view) {
    if (step_.kind == WriteKind::kPut && !(step_.with.empty() && step_.without.empty())) {
      return NewEntries(owner, view);
    }
    const double present = step_.guard.empty()
                               ? figures_.PresenceIn(owner, view)
                               : PresenceBefore(owner, KeyAttributes(model_, owner, view));
    if (step_.kind != WriteKind::kUpdate || !IsOfStep(owner)) {
      if (step_.kind == WriteKind::kUpdate) {
        return Projects(layout, view) ? present : 0;
      }
      return present;
    }
    if (MovesItem(model_, step_, {view.table, &layout})) {
      return 2 * present;
    }
    const std::set<std::string> keys = KeyAttributes(model_, owner, view);
    // What is removed was there, so the entry was too, if the rest of its key was.
    if (Intersects(Texts(step_.remove), keys)) {
      return Leaving(owner, keys);
    }
    if (Intersects(Texts(step_.set), keys)) {
      return MovedEntries(owner, keys);
    }
    return Projects(layout, view) ? present : 0;
  }

  bool Projects(const ItemLayout& layout, const View& view) const {
    if (!IsOfStep(layout.entity)) {
      // The changed rows are inside one of its attributes.
      return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
        return stored.embedded == step_.entity && IsProjected(view, stored.name.text);
      });
    }
    return std::ranges::any_of(Changed(step_), [&](const std::string& name) {
      return !layout.Omits(name) && IsProjected(view, name);
    });
  }

  void AddItem(const Reference<Entity>& owner, double rows) {
    const Model::Placement placement = model_.FindPlacement(owner);
    if (!placement) {
      return;
    }
    const double item = ItemWriteUnits(figures_.EntrySizes(owner, View{placement.table, nullptr}));
    LayoutCost& layout = cost_.layouts.emplace_back();
    layout.layout = owner;
    layout.units[""] = factor_ * rows * item * ItemWrites(owner, placement);
    for (const Index& index : placement.table->indexes) {
      const View view{placement.table, &index};
      if (!AppearsIn(model_, owner, view)) {
        continue;
      }
      layout.units[index.name.text] = rows * ItemWriteUnits(figures_.EntrySizes(owner, view)) *
                                      EntryWrites(owner, *placement.layout, view);
    }
    for (const auto& [view, units] : layout.units) {
      cost_.units[view] += units;
    }
  }

  // Items that hold copies of what the update changes: how many, and what changing one costs.
  void AddCopies() {
    const Entity& owner = model_.At(step_.entity);
    const std::set<std::string> set = Changed(step_);
    for (const Table& table : model_.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          const bool copy = stored.kind == StoredKind::kCopy &&
                            stored.copy.entity == step_.entity &&
                            set.contains(stored.copy.attribute.text);
          const bool member = std::ranges::any_of(stored.members, [&](const Path& path) {
            return path.entity == step_.entity && set.contains(path.attribute.text);
          });
          if (!copy && !member) {
            continue;
          }
          const Entity& holder = model_.At(copy ? layout.entity : stored.embedded);
          const double items = figures_.Rows(holder, PointingAt(holder, owner));
          cost_.copies += items;
          if (stored.upkeep != CopyUpkeep::kNever) {
            cost_.find_units += FindCopies(figures_, holder, owner, table).read_units;
          }
          AddElsewhere("copies", table, layout, stored.name.text, items,
                       stored.upkeep == CopyUpkeep::kTransaction ? factor_ : 1);
        }
      }
    }
  }

  // `items` items of a layout are written because one attribute of theirs changes.
  void AddElsewhere(const char* what, const Table& table, const ItemLayout& layout,
                    const std::string& stored, double items, double factor) {
    const Reference<Entity>& entity = layout.entity;
    double units = factor * ItemWriteUnits(figures_.EntrySizes(entity, View{&table, nullptr}));
    for (const Index& index : table.indexes) {
      const View view{&table, &index};
      if (AppearsIn(model_, entity, view) && IsProjected(view, stored)) {
        units +=
            ItemWriteUnits(figures_.EntrySizes(entity, view)) * figures_.PresenceIn(entity, view);
      }
    }
    cost_.units[what] += items * units;
  }

  void AddLocks(double rows) {
    const Model::Placement placement = model_.FindPlacement(step_.entity);
    if (!placement) {
      return;
    }
    for (const Name& lock : placement.layout->locks) {
      const bool update = step_.kind == WriteKind::kUpdate;
      if (update && !Changed(step_).contains(lock.text)) {
        continue;
      }
      // The old value's lock goes and the new one's comes.
      cost_.units["locks"] += factor_ * rows * kLockUnits * (update ? 2 : 1) *
                              figures_.Presence(step_.entity, {lock.text});
    }
  }

  void AddCascade(const Reference<Entity>& child) {
    WriteStep step;
    step.kind = WriteKind::kDelete;
    step.entity = child;
    const double rows =
        figures_.Rows(child, PointingAt(model_.At(child), model_.At(step_.entity)));
    const WriteCost each = StepCost(figures_, step, factor_).Run();
    // A sum that goes with the row need not be kept right.
    const auto sums = each.units.find("sums");
    const double kept = sums != each.units.end() ? sums->second : 0;
    cost_.units["with " + child.text] += rows * (each.total_units - kept);
    cost_.copies += rows;
  }

  Expectations& figures_;
  const Model& model_;
  const WriteStep& step_;
  const double factor_;
  WriteCost cost_;
};

}  // namespace

double WriteUnits(double bytes) {
  return std::max(1.0, std::ceil(bytes / static_cast<double>(kWriteUnitBytes)));
}

std::vector<Model::Placement> LayoutsWritten(const Model& model, const WriteStep& step) {
  std::vector<Model::Placement> layouts = model.LayoutsOf(step.entity);
  // The only layout is written whatever the update changes: DynamoDB charges for it all the same.
  if (step.kind == WriteKind::kUpdate && layouts.size() > 1) {
    std::erase_if(layouts, [&](const Model::Placement& placement) {
      return !IsTouched(*placement.layout, Changed(step));
    });
  }
  return layouts;
}

std::string NeedsTransaction(const Model& model, const WriteStep& step) {
  if (MovesAnItem(model, step)) {
    return "it changes the table's key: the old item is deleted and the new one put";
  }
  if (TouchesLock(model, step)) {
    return "it takes or gives back a lock item";
  }
  std::string layouts;
  const std::vector<Model::Placement> written = LayoutsWritten(model, step);
  for (const Model::Placement& placement : written) {
    layouts += (layouts.empty() ? "`" : "` and `") + placement.layout->entity.text;
  }
  if (written.size() > 1) {
    return "it writes the row twice, as " + layouts + "`";
  }
  std::string reason;
  ForEachDerived(
      model, step, [&](const Table&, const ItemLayout& layout, const StoredAttribute& stored) {
        if (stored.upkeep == CopyUpkeep::kTransaction || stored.upkeep == CopyUpkeep::kNotStated) {
          reason = "it keeps `" + layout.entity.text + "." + stored.name.text + "` right";
        }
      });
  if (!reason.empty() || step.kind != WriteKind::kUpdate) {
    return reason;
  }
  const std::set<std::string> changed = Changed(step);
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.upkeep == CopyUpkeep::kTransaction && stored.kind == StoredKind::kCopy &&
            stored.copy.entity == step.entity && changed.contains(stored.copy.attribute.text)) {
          return "it keeps the copies in `" + layout.entity.text + "." + stored.name.text +
                 "` right";
        }
      }
    }
  }
  return "";
}

double RowsWritten(Expectations& figures, const WriteStep& step) {
  double rows = step.times;
  if (!step.for_each.given()) {
    return rows;
  }
  const Entity& each = figures.model().At(step.for_each);
  if (each.KeyNames().empty()) {
    return rows;
  }
  // Those under one value of the leading key: the followers of one author.
  return rows * figures.Rows(each, {each.KeyNames().front()});
}

WriteCost EstimateStep(Expectations& figures, const WriteStep& step, bool together) {
  const bool transaction = together || !NeedsTransaction(figures.model(), step).empty();
  return StepCost(figures, step, transaction ? kTransactionFactor : 1).Run();
}

namespace {

// A transaction names an item once: where another step updates the rows whose sums follow from this one, the sums are
// part of that update.
bool SumsAreWrittenAnyway(const Model& model, const Write& write, const WriteStep& step) {
  bool any = false;
  bool all = true;
  ForEachDerived(
      model, step, [&](const Table&, const ItemLayout& layout, const StoredAttribute& stored) {
        any = true;
        const bool at_once =
            stored.upkeep == CopyUpkeep::kTransaction || stored.upkeep == CopyUpkeep::kNotStated;
        all = all && at_once && std::ranges::any_of(write.steps, [&](const WriteStep& other) {
                return &other != &step && other.kind == WriteKind::kUpdate &&
                       other.entity == layout.entity;
              });
      });
  return any && all;
}

}  // namespace

WriteCost EstimateWrite(Expectations& figures, const Write& write) {
  WriteCost total;
  total.name = write.name.text;
  for (const WriteStep& step : write.steps) {
    WriteCost one = EstimateStep(figures, step, write.together);
    if (write.together && SumsAreWrittenAnyway(figures.model(), write, step)) {
      one.total_units -= std::exchange(one.units["sums"], 0);
      one.units.erase("sums");
    }
    for (const auto& [view, units] : one.units) {
      total.units[view] += units;
    }
    total.copies += one.copies;
    total.find_units += one.find_units;
    total.total_units += one.total_units;
  }
  return total;
}

}  // namespace prejoin::model
