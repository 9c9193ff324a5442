// Two pictures of all items, before and after the change of rows, tell what must change. The actual change is smaller: a put knows only the
// row that it is given, so it leaves items under old keys where they are and writes totals and lists of its row as empty; a copy or total
// that nobody keeps stays as it is. The difference is what the proof finds.
#include "model/prove/trial/item_actions.h"

#include <algorithm>
#include <set>

#include "model/data/item_render.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

const StoredAttribute* StoredOf(const Model& model, const std::string& layout,
                                const std::string& name) {
  const ItemLayout* items = model.FindPlacement(layout).layout;
  const StoredAttribute* stored = items != nullptr ? items->Find(name) : nullptr;
  if (stored != nullptr) {
    return stored;
  }
  // A second layout holds the totals of the first as plain attributes.
  const ItemLayout* first = model.FindPlacement(model.RowsOf(layout)).layout;
  return first != nullptr ? first->Find(name) : nullptr;
}

Keeper ByUpkeep(CopyUpkeep upkeep, Keeper otherwise) {
  switch (upkeep) {
    case CopyUpkeep::kTransaction:
      return Keeper::kRequest;
    case CopyUpkeep::kStream:
    case CopyUpkeep::kBatch:
      return Keeper::kLater;
    case CopyUpkeep::kNever:
      return Keeper::kNobody;
    case CopyUpkeep::kNotStated:
      break;
  }
  return otherwise;
}

bool IsOfStep(const WriteStep& step, const Name& entity) {
  return entity == step.entity || std::ranges::find(step.cascade, entity) != step.cascade.end();
}

// The places of the items and locks of one row.
void AddPlaces(const Model& model, const std::string& entity, const Row& row,
               std::set<std::string>& places) {
  for (const Model::Placement& placement : model.LayoutsOf(entity)) {
    if (const auto key = RenderPrimaryKey(placement, row)) {
      places.insert(ItemPlace(*placement.table, *key));
    }
  }
  if (const Model::Placement first = model.FindPlacement(entity)) {
    for (const Item& lock : RenderLocks(first, row)) {
      places.insert(ItemPlace(*first.table, lock));
    }
  }
}

class ActionBuilder {
 public:
  ActionBuilder(const Model& model, const BoundStep& bound, const StepPictures& pictures,
                const ItemsByKey& stored)
      : model_(model),
        bound_(bound),
        step_(*bound.step),
        pictures_(pictures),
        stored_(stored) {}

  StepActions Run(const std::vector<RowChange>& changes, const Dataset& before) {
    for (const RowChange& change : changes) {
      const bool of_step = IsOfStep(step_, {change.entity, {}});
      if (of_step && change.number) {
        AddPlaces(model_, change.entity, before.Of(change.entity)[*change.number], own_);
        replaced_ = replaced_ || (step_.kind == WriteKind::kPut);
      }
      if (of_step && change.row) {
        AddPlaces(model_, change.entity, *change.row, own_);
      }
    }
    if (step_.kind == WriteKind::kPut) {
      PutOwn();
    }
    for (const ItemChange& change : ChangesBetween(pictures_.before, pictures_.after)) {
      const std::string place = ItemPlace(*change.table, change.key);
      if (!own_.contains(place)) {
        Elsewhere(place, change);
      } else if (step_.kind == WriteKind::kPut) {
        PutLock(place, change);
      } else {
        Own(place, change);
      }
    }
    Count();
    return std::move(actions_);
  }

 private:
  ItemAction Make(const std::string& place, const PlacedItem& item, ItemAction::Kind kind) const {
    ItemAction action;
    action.place = place;
    action.item = item;
    action.kind = kind;
    action.own = own_.contains(place);
    return action;
  }

  // Every layout of the row is written, also where it seems the same.
  void PutOwn() {
    for (const std::string& place : own_) {
      const auto after = pictures_.after.find(place);
      if (after == pictures_.after.end() || IsLock(after->second.entity) ||
          model_.RowsOf(after->second.entity) != step_.entity.text) {
        continue;
      }
      ItemAction action = Make(place, after->second, ItemAction::Kind::kPut);
      action.once = step_.once;
      if (replaced_) {
        Forget(action.item);
      }
      actions_.request.push_back(std::move(action));
    }
  }

  // A caller that puts the row does not know which values of other rows its item holds.
  void Forget(PlacedItem& placed) const {
    std::vector<std::pair<std::string, AttributeValue>> empty;
    for (const auto& [name, value] : placed.item) {
      const StoredAttribute* stored = StoredOf(model_, placed.entity, name);
      if (stored == nullptr) {
        continue;
      }
      if (IsTotal(*stored)) {
        empty.emplace_back(name, AttributeValue(0));
      } else if (stored->kind == StoredKind::kEmbedList) {
        empty.emplace_back(name, AttributeValue(AttributeValue::List{}));
      } else if (stored->kind == StoredKind::kEmbedMap) {
        empty.emplace_back(name, AttributeValue(Item{}));
      }
    }
    for (auto& [name, value] : empty) {
      placed.item.Set(name, std::move(value));
    }
  }

  void PutLock(const std::string& place, const ItemChange& change) {
    if (!change.before && IsLock(change.entity)) {
      actions_.request.push_back(
          Make(place, pictures_.after.at(place), ItemAction::Kind::kPut));
      actions_.request.back().once = true;
    }
  }

  void Own(const std::string& place, const ItemChange& change) {
    if (!change.after) {
      actions_.request.push_back(
          Make(place, pictures_.before.at(place), ItemAction::Kind::kDelete));
      return;
    }
    if (change.before) {
      Update(place, change);
      return;
    }
    // The item moves here, or a lock comes: a caller that moves an item has read it.
    ItemAction action = Make(place, pictures_.after.at(place), ItemAction::Kind::kPut);
    action.once = IsLock(change.entity);
    actions_.request.push_back(std::move(action));
  }

  void Elsewhere(const std::string& place, const ItemChange& change) {
    if (change.before && change.after) {
      Update(place, change);
    } else if (change.after) {
      actions_.request.push_back(Make(place, pictures_.after.at(place), ItemAction::Kind::kPut));
    } else {
      actions_.request.push_back(
          Make(place, pictures_.before.at(place), ItemAction::Kind::kDelete));
    }
  }

  void Update(const std::string& place, const ItemChange& change) {
    ItemAction now = Make(place, pictures_.after.at(place), ItemAction::Kind::kUpdate);
    ItemAction after = now;
    std::set<std::string> names;
    for (const auto* item : {&*change.before, &*change.after}) {
      for (const auto& [name, value] : *item) {
        names.insert(name);
      }
    }
    for (const std::string& name : names) {
      const AttributeValue* old_value = change.before->Find(name);
      const AttributeValue* new_value = change.after->Find(name);
      if (old_value != nullptr && new_value != nullptr && *old_value == *new_value) {
        continue;
      }
      const Keeper keeper = KeeperOf(model_, change.entity, name, step_, now.own);
      if (keeper != Keeper::kRequest && keeper != Keeper::kRequestAfter) {
        continue;
      }
      ItemAction& action = keeper == Keeper::kRequest ? now : after;
      if (AddsDifference(change.entity, name, old_value, new_value, action)) {
        continue;
      }
      action.set.emplace_back(
          name, new_value != nullptr ? std::optional<AttributeValue>(*new_value) : std::nullopt);
    }
    if (!now.set.empty() || !now.add.empty()) {
      actions_.request.push_back(std::move(now));
    }
    if (!after.set.empty() || !after.add.empty()) {
      actions_.after.push_back(std::move(after));
    }
  }

  // A total that a request keeps is counted, not overwritten.
  bool AddsDifference(const std::string& layout, const std::string& name,
                      const AttributeValue* old_value, const AttributeValue* new_value,
                      ItemAction& action) const {
    const StoredAttribute* stored = StoredOf(model_, layout, name);
    if (stored == nullptr || !IsTotal(*stored) || new_value == nullptr ||
        new_value->number() == nullptr) {
      return false;
    }
    const Number from = old_value != nullptr && old_value->number() != nullptr
                            ? *old_value->number()
                            : Number(0);
    const auto difference = Number::Subtract(*new_value->number(), from);
    if (difference) {
      action.add.emplace_back(name, *difference);
    }
    return difference.has_value();
  }

  // `likes += 1` where likes is a total: the rows do not say it, the step does. `set likes` writes what the caller has
  // computed.
  void Count() {
    for (const std::string& place : own_) {
      const auto found = stored_.find(place);
      if (step_.kind != WriteKind::kUpdate || found == stored_.end() ||
          IsLock(found->second.entity)) {
        continue;
      }
      ItemAction action = Make(place, found->second, ItemAction::Kind::kUpdate);
      for (const Name& name : step_.set) {
        const StoredAttribute* stored = StoredOf(model_, found->second.entity, name.text);
        const auto counted = std::ranges::find(step_.increments, name, &Increment::attribute);
        if (stored == nullptr || !IsTotal(*stored)) {
          continue;
        }
        const AttributeValue* computed = bound_.values.Find(name.text);
        if (counted != step_.increments.end()) {
          action.add.emplace_back(name.text, Number(static_cast<std::int64_t>(counted->by)));
        } else if (computed != nullptr) {
          action.set.emplace_back(name.text, *computed);
        }
      }
      if (!action.add.empty() || !action.set.empty()) {
        actions_.request.push_back(std::move(action));
      }
    }
  }

  const Model& model_;
  const BoundStep& bound_;
  const WriteStep& step_;
  const StepPictures& pictures_;
  const ItemsByKey& stored_;
  std::set<std::string> own_;  // Places of the items of the step's rows, before and after.
  bool replaced_ = false;      // A put of an existing row already.
  StepActions actions_;
};

}  // namespace

Keeper KeeperOf(const Model& model, const std::string& layout, const std::string& name,
                const WriteStep& step, bool own) {
  const StoredAttribute* stored = StoredOf(model, layout, name);
  if (stored == nullptr) {
    return Keeper::kRequest;
  }
  switch (stored->kind) {
    case StoredKind::kTemplate:
      // A key follows what it is made of; copies and totals may be kept by somebody else.
      for (const std::string& part : stored->key.Attributes()) {
        const Keeper keeper =
            part == name ? Keeper::kRequest : KeeperOf(model, layout, part, step, own);
        if (keeper != Keeper::kRequest) {
          return keeper;
        }
      }
      return Keeper::kRequest;
    case StoredKind::kCopy:
      return ByUpkeep(stored->upkeep, own ? Keeper::kRequest : Keeper::kRequestAfter);
    case StoredKind::kSum:
    case StoredKind::kCount:
      return ByUpkeep(stored->upkeep, Keeper::kRequest);
    case StoredKind::kEmbedList:
    case StoredKind::kEmbedMap:
      // Rows that are nowhere else are what the step itself writes.
      if (IsOfStep(step, stored->embedded) && !model.FindPlacement(stored->embedded.text)) {
        return Keeper::kRequest;
      }
      return ByUpkeep(stored->upkeep,
                      IsOfStep(step, stored->embedded) ? Keeper::kRequest : Keeper::kNobody);
  }
  return Keeper::kRequest;
}

StepActions ActionsOfStep(const Model& model, const BoundStep& bound,
                          const std::vector<RowChange>& changes, const Dataset& before,
                          const StepPictures& pictures, const ItemsByKey& stored) {
  return ActionBuilder(model, bound, pictures, stored).Run(changes, before);
}

}  // namespace prejoin::model
