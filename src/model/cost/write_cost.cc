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
#include "model/cost/touched_items.h"
#include "model/plan/planner.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr double kTransactionFactor = 2;
constexpr double kLockUnits = 1;

class StepCost {
 public:
  // `together`: the write whose steps are one request; null: the step is one by itself.
  StepCost(Expectations& figures, const WriteStep& step, double factor, const Write* together)
      : figures_(figures),
        model_(figures.model()),
        step_(step),
        factor_(factor),
        together_(together) {}

  WriteCost Run() {
    const double rows = RowsWritten(figures_, step_);
    for (const Reference<Entity>& owner : ItemOwners(step_.entity)) {
      // Rows inside an item are written with it, however many they are.
      AddItem(owner, IsOfStep(owner) ? rows : rows / step_.times);
    }
    if (step_.kind != WriteKind::kPut) {
      AddCopies();
    }
    AddLocks(rows);
    AddTotals(rows);
    for (const Reference<Entity>& child : step_.cascade) {
      AddCascade(child);
    }
    for (const auto& [view, units] : cost_.units) {
      cost_.total_units += units;
    }
    return cost_;
  }

  // A transaction of one item is a plain request: where a row has no entry in any other layout, no lock and no total, its item costs half.
  void LeaveOutTransactionsOfOne(WriteCost& cost) {
    const double alone = ShareWithoutOthers();
    for (LayoutCost& layout : cost.layouts) {
      const double less =
          alone * ShareAlone(layout.layout) * layout.units[""] * (1 - 1 / factor_);
      layout.units[""] -= less;
      cost.units[""] -= less;
      cost.total_units -= less;
    }
  }

 private:
  // The share of the rows whose write touches no other layout than this one.
  double ShareAlone(const Reference<Entity>& layout) const {
    double alone = 1;
    for (const Model::Placement& other : LayoutsWritten(model_, step_)) {
      const View base{other.table, nullptr};
      alone *= other.layout->entity == layout
                   ? 1
                   : 1 - std::min(1.0, EntryWrites(other.layout->entity, *other.layout, base));
    }
    return alone;
  }

  // The share of the rows whose write touches no lock, total, copy or row of another entity.
  double ShareWithoutOthers() const {
    const Model::Placement placement = model_.FindPlacement(step_.entity);
    if (!placement || step_.times != 1 || step_.for_each.given() || !step_.cascade.empty() ||
        MovesAnItem(model_, step_) || cost_.copies > 0) {
      return 0;
    }
    double alone = 1;
    for (const Name& lock : placement.layout->locks) {
      const bool touched =
          step_.kind != WriteKind::kUpdate || Changed(step_).contains(lock.text);
      alone *= touched ? 1 - figures_.Presence(step_.entity, {lock.text}) : 1;
    }
    ForEachDerived(model_, step_,
                   [&](const Table&, const ItemLayout& layout, const StoredAttribute&) {
                     alone *= 1 - std::min(1.0, HoldersOf(layout));
                   });
    return alone;
  }

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

  // True if items of this layout are the rows that the step writes.
  bool IsOfStep(const Reference<Entity>& layout) const {
    return model_.RowsOf(layout).name == step_.entity;
  }

  // Facts about a row before the step, from its condition and from the attributes that it removes.
  KnownRows KnownBefore(const Reference<Entity>& owner) const {
    KnownRows known;
    if (!IsOfStep(owner)) {
      return known;
    }
    for (const Condition& condition : step_.guard) {
      if (condition.comparison == Comparison::kNotExists) {
        known.absent.insert(condition.attribute.text);
      } else if (condition.comparison != Comparison::kNotEqual) {
        known.there.insert(condition.attribute.text);
      }
    }
    known.there.merge(Texts(step_.remove));
    return known;
  }

  // Facts about the row after the step.
  KnownRows KnownAfter(const Reference<Entity>& owner) const {
    KnownRows known;
    if (!IsOfStep(owner)) {
      return step_.kind == WriteKind::kPut ? WithOneMore(owner) : known;
    }
    if (step_.kind == WriteKind::kPut) {
      return {Texts(step_.with), Texts(step_.without), {}, Inside(owner)};
    }
    known = KnownBefore(owner);
    for (const std::string& name : Texts(step_.set)) {
      known.absent.erase(name);
      known.there.insert(name);
    }
    for (const std::string& name : Texts(step_.remove)) {
      known.there.erase(name);
      known.absent.insert(name);
    }
    return known;
  }

  // The item that a row is put inside has one more of them than it has on average.
  KnownRows WithOneMore(const Reference<Entity>& owner) const {
    KnownRows known;
    const Entity& inside = model_.At(step_.entity);
    known.inside[inside.name.text] =
        figures_.Rows(inside, PointingAt(inside, model_.At(owner))) + step_.times;
    return known;
  }

  // The rows that a new item has inside: those that the same request puts.
  std::map<std::string, double> Inside(const Reference<Entity>& owner) const {
    std::map<std::string, double> inside;
    const Model::Placement placement = model_.FindPlacement(owner);
    if (!placement) {
      return inside;  // Rows without items of their own: others count or copy them.
    }
    for (const StoredAttribute& stored : placement.layout->attributes) {
      if (stored.kind != StoredKind::kEmbedList && stored.kind != StoredKind::kEmbedMap) {
        continue;
      }
      double& rows = inside[stored.embedded.text];
      for (std::size_t i = 0; together_ != nullptr && i < together_->steps.size(); ++i) {
        const WriteStep& other = together_->steps[i];
        rows += other.kind == WriteKind::kPut && other.entity == stored.embedded ? RowsWritten(figures_, other) : 0;
      }
    }
    return inside;
  }

  // Units to write the entry of a view: of an update the larger of what was there and what comes. Attributes that
  // the update sets or removes are in one of the two.
  double EntryUnits(const Reference<Entity>& owner, const View& view) {
    KnownRows known = KnownAfter(owner);
    if (step_.kind == WriteKind::kUpdate) {
      for (const std::string& name : Texts(step_.remove)) {
        known.absent.erase(name);
        known.there.insert(name);
      }
    }
    return known.empty()
               ? ItemWriteUnits(figures_.EntrySizes(owner, view))
               : ItemWriteUnits(figures_.EntrySizes(owner, view, known));
  }

  // Returns how often the entry of a row is written in a view, be it the table or an index, when the step writes one row.
  double EntryWrites(const Reference<Entity>& owner, const ItemLayout& layout,
                     const View& view) const {
    const std::set<std::string> required = RequiredIn(model_, owner, view);
    const double before = figures_.Presence(owner, required, KnownBefore(owner));
    if (!IsOfStep(owner)) {
      return view.index == nullptr || Projects(layout, view) ? before : 0;
    }
    if (step_.kind == WriteKind::kPut) {
      return figures_.Presence(owner, required, KnownAfter(owner));
    }
    if (step_.kind == WriteKind::kDelete) {
      return before;
    }
    const double after = figures_.Presence(owner, required, KnownAfter(owner));
    const std::set<std::string> changed = Changed(step_);
    const bool moves = Intersects(changed, required) ||
                       Intersects(changed, KeyAttributes(model_, owner, view)) ||
                       MovesItem(model_, step_, {view.table, &layout});
    if (moves) {
      return before + after;
    }
    return view.index == nullptr || Projects(layout, view) ? before : 0;
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
    const View base{placement.table, nullptr};
    LayoutCost& layout = cost_.layouts.emplace_back();
    layout.layout = owner;
    layout.units[""] =
        factor_ * rows * EntryUnits(owner, base) * EntryWrites(owner, *placement.layout, base);
    for (const Index& index : placement.table->indexes) {
      const View view{placement.table, &index};
      if (!AppearsIn(model_, owner, view)) {
        continue;
      }
      layout.units[index.name.text] =
          rows * EntryUnits(owner, view) * EntryWrites(owner, *placement.layout, view);
    }
    for (const auto& [view, units] : layout.units) {
      cost_.units[view] += units;
    }
  }

  // Items that hold copies of the updated attributes, or of those of a deleted row that lose them: how many, and the cost of changing one.
  void AddCopies() {
    const Entity& owner = model_.At(step_.entity);
    const bool removal = step_.kind == WriteKind::kDelete;
    std::set<std::string> set = Changed(step_);
    for (std::size_t i = 0; removal && i < owner.attributes.size(); ++i) {
      set.insert(owner.attributes[i].name.text);
    }
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
          // Items that are deleted with the row need no change.
          if (removal && std::ranges::any_of(step_.cascade, [&](const Reference<Entity>& child) {
                return model_.RowsOf(layout.entity).name == child;
              })) {
            continue;
          }
          const double there =
              removal && copy ? figures_.Presence(owner, {stored.copy.attribute.text}) : 1;
          const double items = there * figures_.Rows(holder, PointingAt(holder, owner));
          cost_.copies += items;
          if (stored.upkeep != CopyUpkeep::kNever) {
            cost_.find_units += FindCopies(figures_, holder, owner, table).read_units;
          }
          AddElsewhere("copies", table, layout, {stored.name.text}, items,
                       stored.upkeep == CopyUpkeep::kTransaction ? factor_ : 1);
        }
      }
    }
  }

  // Items that hold sums and counts of the rows: each is written once for all of its totals.
  void AddTotals(double rows) {
    struct Holder {
      const Table* table = nullptr;
      const ItemLayout* layout = nullptr;
      bool at_once = false;
      std::vector<std::string> totals;
    };
    std::vector<Holder> holders;
    ForEachDerived(
        model_, step_,
        [&](const Table& table, const ItemLayout& layout, const StoredAttribute& stored) {
          const bool at_once =
              stored.upkeep == CopyUpkeep::kTransaction || stored.upkeep == CopyUpkeep::kNotStated;
          auto found = std::ranges::find_if(holders, [&](const Holder& one) {
            return one.layout == &layout && one.at_once == at_once;
          });
          if (found == holders.end()) {
            found = holders.insert(holders.end(), {&table, &layout, at_once, {}});
          }
          found->totals.push_back(stored.name.text);
        });
    for (const Holder& holder : holders) {
      // A transaction changes an item once, however many of its rows come or go.
      const double items = HoldersOf(*holder.layout) * (holder.at_once ? rows / step_.times : rows);
      AddElsewhere("sums", *holder.table, *holder.layout, holder.totals, items,
                   holder.at_once ? factor_ : 1);
    }
  }

  // How many items hold sums of one row that the step writes: a row that points nowhere is in none, and one that moves leaves
  // one and comes to another.
  double HoldersOf(const ItemLayout& holder) const {
    const std::set<std::string> names = NamesOfHolder(model_, step_.entity, holder.entity);
    const double before = figures_.Presence(step_.entity, names, KnownBefore(step_.entity));
    const double after = figures_.Presence(step_.entity, names, KnownAfter(step_.entity));
    if (step_.kind == WriteKind::kPut) {
      return after;
    }
    return MovesToHolder(model_, step_, holder.entity) ? before + after : before;
  }

  // `items` items of a layout are written because some attributes of theirs change.
  void AddElsewhere(const char* what, const Table& table, const ItemLayout& layout,
                    const std::vector<std::string>& stored, double items, double factor) {
    const Reference<Entity>& entity = layout.entity;
    const View base{&table, nullptr};
    double units = factor * ItemWriteUnits(figures_.EntrySizes(entity, base)) *
                   figures_.PresenceIn(entity, base);
    for (const Index& index : table.indexes) {
      const View view{&table, &index};
      const bool projected = std::ranges::any_of(
          stored, [&](const std::string& name) { return IsProjected(view, name); });
      if (AppearsIn(model_, entity, view) && projected) {
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
    const double rows = figures_.Rows(child, NamesIn(CascadeColumns(model_, step_, model_.At(child))));
    const WriteCost each = StepCost(figures_, step, factor_, nullptr).Run();
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
  const Write* const together_;
  WriteCost cost_;
};

}  // namespace

bool MovesAnItem(const Model& model, const WriteStep& step) {
  return std::ranges::any_of(model.LayoutsOf(step.entity), [&](const auto& placement) {
    return MovesItem(model, step, placement);
  });
}

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
    return "it puts or deletes a lock item";
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
  // Entries under one value of the leading key: the followers of one author.
  return rows * figures.Rows(each, {each.KeyNames().front()});
}

WriteCost EstimateStep(Expectations& figures, const Write& write, const WriteStep& step) {
  const bool transaction = write.together || !NeedsTransaction(figures.model(), step).empty();
  StepCost cost(figures, step, transaction ? kTransactionFactor : 1,
                write.together ? &write : nullptr);
  WriteCost units = cost.Run();
  if (transaction && !write.together) {
    cost.LeaveOutTransactionsOfOne(units);
  }
  return units;
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

namespace {

// The same of rows inside an item that another step writes: an order and the lines in it are one item.
void LeaveOutItemsOfOthers(const Model& model, const Write& write, const WriteStep& step,
                           WriteCost& cost) {
  for (LayoutCost& layout : cost.layouts) {
    const bool other = std::ranges::any_of(write.steps, [&](const WriteStep& one) {
      return one.entity != step.entity && one.entity == model.RowsOf(layout.layout).name;
    });
    if (!other || model.FindPlacement(step.entity)) {
      continue;
    }
    for (auto& [view, units] : layout.units) {
      cost.units[view] -= units;
      cost.total_units -= units;
      units = 0;
    }
  }
}

}  // namespace

WriteCost EstimateWrite(Expectations& figures, const Write& write) {
  WriteCost total;
  total.name = write.name.text;
  for (const WriteStep& step : write.steps) {
    WriteCost one = EstimateStep(figures, write, step);
    if (write.together) {
      LeaveOutItemsOfOthers(figures.model(), write, step, one);
    }
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
