// Updates on item trees.
//
// All values are computed from the old item before anything changes, so actions cannot see each
// other. Then the actions, sorted by path, are applied in one walk from the top. Sorted, those
// inside one map or list stand together (their paths never overlap), and list positions ascend:
// elements are replaced where they are, positions past the end append in their order, and removed
// elements go last, so that every position means the old list.
#include <algorithm>
#include <span>

#include "expr/evaluate.h"
#include "expr/grammar.h"

namespace prejoin::expr {
namespace {

Error WrongOperand() {
  return ValidationError("An operand in the update expression has an incorrect data type");
}
Error WrongLegacyOperand() { return ValidationError("Type mismatch for attribute to update"); }
Error MissingOperand() {
  return ValidationError(
      "The provided expression refers to an attribute that does not exist in the item");
}
Error InvalidPath() {
  return ValidationError(
      "The document path provided in the update expression is invalid for update");
}

// ---- Values of SET -----------------------------------------------------------------------------

const AttributeValue* Resolve(const Path& path, const Item& item) {
  const AttributeValue* value = item.Find(std::get<std::string>(path.front().step));
  for (std::size_t i = 1; i < path.size() && value != nullptr; ++i) {
    if (const auto* name = std::get_if<std::string>(&path[i].step)) {
      const Item* map = value->map();
      value = map == nullptr ? nullptr : map->Find(*name);
    } else {
      const AttributeValue::List* list = value->list();
      const auto index = std::get<std::uint32_t>(path[i].step);
      value = list == nullptr || index >= list->size() ? nullptr : &(*list)[index];
    }
  }
  return value;
}

// Reads the old item only. The parser limits depth.
class ValueOf {
 public:
  explicit ValueOf(const Item& item) : item_(item) {}

  Result<AttributeValue> operator()(const UpdateValue& value) const {
    return std::visit(*this, value.node);
  }
  Result<AttributeValue> operator()(const Path& path) const {
    const AttributeValue* value = Resolve(path, item_);
    if (value == nullptr) {
      return MissingOperand();
    }
    return *value;
  }
  Result<AttributeValue> operator()(const Literal& literal) const { return literal.value(); }
  Result<AttributeValue> operator()(const IfNotExists& call) const {
    const AttributeValue* value = Resolve(call.path, item_);
    if (value == nullptr) {
      return (*this)(*call.fallback);
    }
    return *value;
  }
  Result<AttributeValue> operator()(const ListAppend& call) const {
    PJ_ASSIGN_OR_RETURN(AttributeValue first, (*this)(*call.first));
    PJ_ASSIGN_OR_RETURN(AttributeValue second, (*this)(*call.second));
    if (first.list() == nullptr || second.list() == nullptr) {
      return WrongOperand();
    }
    std::ranges::move(*second.list(), std::back_inserter(*first.list()));
    return first;
  }
  Result<AttributeValue> operator()(const Arithmetic& sum) const {
    PJ_ASSIGN_OR_RETURN(const AttributeValue left, (*this)(*sum.left));
    PJ_ASSIGN_OR_RETURN(const AttributeValue right, (*this)(*sum.right));
    if (left.number() == nullptr || right.number() == nullptr) {
      return WrongOperand();
    }
    PJ_ASSIGN_OR_RETURN(const Number number, sum.subtract
                                                 ? Number::Subtract(*left.number(), *right.number())
                                                 : Number::Add(*left.number(), *right.number()));
    return AttributeValue(number);
  }

 private:
  const Item& item_;
};

// ---- Actions on one value ----------------------------------------------------------------------

enum class ActionKind : std::uint8_t { kSet, kRemove, kAdd, kDelete };

// One action, ready to run: what SET stores is already computed.
struct Action {
  const Path* path;
  ActionKind kind;
  const AttributeValue* operand = nullptr;  // ADD and DELETE; borrowed from the update.
  AttributeValue value;                     // SET
};

// Answers whether a set has a member. Large sets are sorted once: looking through them for each of
// the other set's members would take quadratic time. Borrows the members.
template <class T>
class Membership {
 public:
  explicit Membership(const std::vector<T>& members) : members_(members) {
    if (members.size() > kSmallSet) {
      sorted_.reserve(members.size());
      for (const T& member : members) {
        sorted_.push_back(&member);
      }
      std::ranges::sort(sorted_, Before);
    }
  }

  bool Has(const T& member) const {
    return sorted_.empty() ? std::ranges::find(members_, member) != members_.end()
                           : std::ranges::binary_search(sorted_, &member, Before);
  }

 private:
  static constexpr std::size_t kSmallSet = 16;
  static bool Before(const T* a, const T* b) { return *a < *b; }

  const std::vector<T>& members_;
  std::vector<const T*> sorted_;
};

template <class T>
void Union(const std::vector<T>& members, const std::vector<T>& more, AttributeValue& value,
           auto wrap) {
  std::vector<T> all = members;
  const Membership<T> old_members(members);
  std::ranges::copy_if(more, std::back_inserter(all),
                       [&](const T& member) { return !old_members.Has(member); });
  value = wrap(std::move(all));
}

// False if no member is left.
template <class T>
bool Difference(const std::vector<T>& members, const std::vector<T>& fewer, AttributeValue& value,
                auto wrap) {
  std::vector<T> left;
  const Membership<T> deleted(fewer);
  std::ranges::copy_if(members, std::back_inserter(left),
                       [&](const T& member) { return !deleted.Has(member); });
  const bool any = !left.empty();
  value = wrap(std::move(left));
  return any;
}

AttributeValue WrapStrings(std::vector<std::string> members) {
  return AttributeValue(AttributeValue::StringSet{std::move(members)});
}
AttributeValue WrapNumbers(std::vector<Number> members) {
  return AttributeValue(AttributeValue::NumberSet{std::move(members)});
}
AttributeValue WrapBinaries(std::vector<std::string> members) {
  return AttributeValue(AttributeValue::BinarySet{std::move(members)});
}

// `value` and `operand` have the same type.
Status AddTo(AttributeValue& value, const AttributeValue& operand) {
  switch (value.type()) {
    case ValueType::kNumber: {
      PJ_ASSIGN_OR_RETURN(const Number sum, Number::Add(*value.number(), *operand.number()));
      value = AttributeValue(sum);
      return {};
    }
    case ValueType::kStringSet:
      Union(*value.string_set(), *operand.string_set(), value, WrapStrings);
      return {};
    case ValueType::kNumberSet:
      Union(*value.number_set(), *operand.number_set(), value, WrapNumbers);
      return {};
    case ValueType::kBinarySet:
      Union(*value.binary_set(), *operand.binary_set(), value, WrapBinaries);
      return {};
    case ValueType::kList:  // Only the legacy ADD comes with a list.
      std::ranges::copy(*operand.list(), std::back_inserter(*value.list()));
      return {};
    default:
      return WrongOperand();
  }
}

// False if no member is left. `value` and `operand` are sets of the same type.
bool DeleteFrom(AttributeValue& value, const AttributeValue& operand) {
  switch (value.type()) {
    case ValueType::kStringSet:
      return Difference(*value.string_set(), *operand.string_set(), value, WrapStrings);
    case ValueType::kNumberSet:
      return Difference(*value.number_set(), *operand.number_set(), value, WrapNumbers);
    default:
      return Difference(*value.binary_set(), *operand.binary_set(), value, WrapBinaries);
  }
}

// ---- The walk ----------------------------------------------------------------------------------

using Actions = std::span<Action>;

// Entries that come into a map, and names that leave it, in the order of names. Many of them are
// merged with the map in one pass: each by itself would move all that follows it.
class MapChanges {
 public:
  void Create(const std::string& name, AttributeValue value) {
    created_.emplace_back(name, std::move(value));
  }
  void Remove(const std::string& name) { removed_.push_back(&name); }

  void ApplyTo(Item& map) {
    if (created_.size() + removed_.size() > kFewChanges) {
      return Merge(map);
    }
    for (auto& [name, value] : created_) {
      map.Set(std::move(name), std::move(value));
    }
    for (const std::string* name : removed_) {
      map.Remove(*name);
    }
  }

 private:
  static constexpr std::size_t kFewChanges = 8;

  void Merge(Item& map) {
    Item merged;
    merged.Reserve(map.size() + created_.size());
    auto created = created_.begin();
    auto removed = removed_.begin();
    for (const auto& [name, value] : map) {
      for (; created != created_.end() && created->first < name; ++created) {
        merged.Set(std::move(created->first), std::move(created->second));
      }
      while (removed != removed_.end() && **removed < name) {
        ++removed;
      }
      if (removed == removed_.end() || **removed != name) {
        merged.Set(name, std::move(*map.Find(name)));
      }
    }
    for (; created != created_.end(); ++created) {
      merged.Set(std::move(created->first), std::move(created->second));
    }
    map = std::move(merged);
  }

  std::vector<Item::Entry> created_;
  std::vector<const std::string*> removed_;
};

class Updater {
 public:
  explicit Updater(bool legacy) : legacy_(legacy) {}

  // Applies actions whose paths agree up to `depth`, where they go on into `map`.
  Status UpdateMap(Item& map, Actions actions, std::size_t depth) const {
    MapChanges changes;
    while (!actions.empty()) {
      const Actions group = TakeGroup(actions, depth);
      const auto* name = std::get_if<std::string>(&(*group[0].path)[depth].step);
      if (name == nullptr) {
        return InvalidPath();
      }
      AttributeValue* value = map.Find(*name);
      if (group[0].path->size() > depth + 1) {
        PJ_RETURN_IF_ERROR(Descend(value, group, depth + 1));
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const Outcome outcome, Run(group[0], value));
      if (outcome == Outcome::kCreate) {
        changes.Create(*name, std::move(group[0].value));
      } else if (outcome == Outcome::kRemove) {
        changes.Remove(*name);
      }
    }
    changes.ApplyTo(map);
    return {};
  }

 private:
  enum class Outcome { kKeep, kCreate, kRemove };

  // The actions at the front whose paths continue with the same step; `actions` keeps the others.
  static Actions TakeGroup(Actions& actions, std::size_t depth) {
    std::size_t size = 1;
    while (size < actions.size() && (*actions[size].path)[depth] == (*actions[0].path)[depth]) {
      ++size;
    }
    const Actions group = actions.first(size);
    actions = actions.subspan(size);
    return group;
  }

  Status Descend(AttributeValue* value, Actions actions, std::size_t depth) const {
    if (value != nullptr && value->map() != nullptr) {
      return UpdateMap(*value->map(), actions, depth);
    }
    if (value != nullptr && value->list() != nullptr) {
      return UpdateList(*value->list(), actions, depth);
    }
    return InvalidPath();
  }

  Status UpdateList(AttributeValue::List& list, Actions actions, std::size_t depth) const {
    const std::size_t old_size = list.size();
    std::vector<std::size_t> removed;
    while (!actions.empty()) {
      const Actions group = TakeGroup(actions, depth);
      const auto* index = std::get_if<std::uint32_t>(&(*group[0].path)[depth].step);
      if (index == nullptr) {
        return InvalidPath();
      }
      AttributeValue* value = *index < old_size ? &list[*index] : nullptr;
      if (group[0].path->size() > depth + 1) {
        PJ_RETURN_IF_ERROR(Descend(value, group, depth + 1));
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const Outcome outcome, Run(group[0], value));
      if (outcome == Outcome::kCreate) {
        list.push_back(std::move(group[0].value));
      } else if (outcome == Outcome::kRemove && value != nullptr) {
        removed.push_back(*index);
      }
    }
    RemovePositions(removed, list);
    return {};
  }

  // The positions ascend. A remaining element moves once, however many are removed.
  static void RemovePositions(const std::vector<std::size_t>& removed, AttributeValue::List& list) {
    if (removed.empty()) {
      return;
    }
    std::size_t kept = removed[0];
    std::size_t next = 0;
    for (std::size_t i = kept; i < list.size(); ++i) {
      if (next < removed.size() && removed[next] == i) {
        ++next;
      } else {
        list[kept++] = std::move(list[i]);
      }
    }
    list.resize(kept);
  }

  // Changes `value`, which is null if there is none at the action's path. kCreate: the caller
  // stores action.value there.
  Result<Outcome> Run(Action& action, AttributeValue* value) const {
    switch (action.kind) {
      case ActionKind::kSet:
        if (value == nullptr) {
          return Outcome::kCreate;
        }
        *value = std::move(action.value);
        return Outcome::kKeep;
      case ActionKind::kRemove:
        return Outcome::kRemove;
      case ActionKind::kAdd:
        if (value == nullptr) {
          action.value = *action.operand;
          return Outcome::kCreate;
        }
        PJ_RETURN_IF_ERROR(CheckSameType(*value, *action.operand));
        PJ_RETURN_IF_ERROR(AddTo(*value, *action.operand));
        return Outcome::kKeep;
      case ActionKind::kDelete:
        if (value == nullptr) {
          return Outcome::kKeep;
        }
        PJ_RETURN_IF_ERROR(CheckSameType(*value, *action.operand));
        return DeleteFrom(*value, *action.operand) ? Outcome::kKeep : Outcome::kRemove;
    }
    return Outcome::kKeep;
  }

  Status CheckSameType(const AttributeValue& value, const AttributeValue& operand) const {
    if (value.type() == operand.type()) {
      return {};
    }
    return legacy_ ? WrongLegacyOperand() : WrongOperand();
  }

  bool legacy_;
};

Result<std::vector<Action>> MakeActions(const Update& update, const Item& old_item) {
  std::vector<Action> actions;
  actions.reserve(update.sets.size() + update.removes.size() + update.adds.size() +
                  update.deletes.size());
  for (const SetAction& set : update.sets) {
    PJ_ASSIGN_OR_RETURN(AttributeValue value, ValueOf(old_item)(set.value));
    actions.push_back({&set.path, ActionKind::kSet, nullptr, std::move(value)});
  }
  for (const RemoveAction& remove : update.removes) {
    actions.push_back({&remove.path, ActionKind::kRemove, nullptr, {}});
  }
  for (const AddAction& add : update.adds) {
    actions.push_back({&add.path, ActionKind::kAdd, &add.value.value(), {}});
  }
  for (const DeleteAction& action : update.deletes) {
    actions.push_back({&action.path, ActionKind::kDelete, &action.value.value(), {}});
  }
  std::ranges::sort(actions,
                    [](const Action& a, const Action& b) { return PathLess(*a.path, *b.path); });
  return actions;
}

// ---- UPDATED_OLD and UPDATED_NEW ---------------------------------------------------------------

using TouchedPaths = std::span<const Path* const>;

std::optional<AttributeValue> Touched(const AttributeValue& value, TouchedPaths paths,
                                      std::size_t depth);

template <class Visit>
void ForEachGroup(TouchedPaths paths, std::size_t depth, Visit&& visit) {
  while (!paths.empty()) {
    std::size_t size = 1;
    while (size < paths.size() && (*paths[size])[depth] == (*paths[0])[depth]) {
      ++size;
    }
    visit((*paths[0])[depth], paths.first(size));
    paths = paths.subspan(size);
  }
}

Item TouchedEntries(const Item& item, TouchedPaths paths, std::size_t depth) {
  Item touched;
  ForEachGroup(paths, depth, [&](const PathStep& step, TouchedPaths group) {
    const auto* name = std::get_if<std::string>(&step.step);
    const AttributeValue* value = name == nullptr ? nullptr : item.Find(*name);
    if (value != nullptr) {
      if (auto part = Touched(*value, group, depth + 1)) {
        touched.Set(*name, *std::move(part));
      }
    }
  });
  return touched;
}

AttributeValue::List TouchedElements(const AttributeValue::List& list, TouchedPaths paths,
                                     std::size_t depth) {
  AttributeValue::List touched;
  ForEachGroup(paths, depth, [&](const PathStep& step, TouchedPaths group) {
    const auto* index = std::get_if<std::uint32_t>(&step.step);
    if (index != nullptr && *index < list.size()) {
      if (auto part = Touched(list[*index], group, depth + 1)) {
        touched.push_back(*std::move(part));
      }
    }
  });
  return touched;
}

std::optional<AttributeValue> Touched(const AttributeValue& value, TouchedPaths paths,
                                      std::size_t depth) {
  if (paths[0]->size() == depth) {
    return value;
  }
  if (value.map() != nullptr) {
    Item part = TouchedEntries(*value.map(), paths, depth);
    return part.empty() ? std::nullopt : std::optional(AttributeValue(std::move(part)));
  }
  if (value.list() != nullptr) {
    AttributeValue::List part = TouchedElements(*value.list(), paths, depth);
    return part.empty() ? std::nullopt : std::optional(AttributeValue(std::move(part)));
  }
  return std::nullopt;
}

}  // namespace

Result<UpdateResult> ApplyUpdate(const Update& update, const Item& old_item) {
  PJ_ASSIGN_OR_RETURN(std::vector<Action> actions, MakeActions(update, old_item));
  UpdateResult result;
  result.item = old_item;
  PJ_RETURN_IF_ERROR(Updater(update.legacy).UpdateMap(result.item, actions, 0));
  std::vector<const Path*> paths;
  paths.reserve(actions.size());
  for (const Action& action : actions) {
    paths.push_back(action.path);
  }
  // The paths are looked up in the new item as they stand, although removed and appended elements
  // have moved the positions of a list: DynamoDB does the same.
  result.updated_old = TouchedEntries(old_item, paths, 0);
  result.updated_new = TouchedEntries(result.item, paths, 0);
  return result;
}

}  // namespace prejoin::expr
