#include <algorithm>

#include "tests/reference/expressions.h"

namespace prejoin::reference {
namespace {

using Kind = Action::Kind;

// What a SET stores; nullopt: an operand is missing or has the wrong type.
std::optional<AttributeValue> NewValue(const Action& action, const Item& old_item) {
  const AttributeValue* source = Find(old_item, action.source);
  switch (action.kind) {
    case Kind::kSet:
      return action.value;
    case Kind::kCopy:
      return source ? std::optional(*source) : std::nullopt;
    case Kind::kSetIfNotExists:
      return source ? *source : action.value;
    case Kind::kSum:
    case Kind::kDifference: {
      if (!source || !source->number() || !action.value.number()) {
        return std::nullopt;
      }
      const auto number = action.kind == Kind::kSum
                              ? Number::Add(*source->number(), *action.value.number())
                              : Number::Subtract(*source->number(), *action.value.number());
      return number ? std::optional(AttributeValue(*number)) : std::nullopt;
    }
    case Kind::kAppend: {
      if (!source || !source->list() || !action.value.list()) {
        return std::nullopt;
      }
      AttributeValue::List list = *source->list();
      list.insert(list.end(), action.value.list()->begin(), action.value.list()->end());
      return list;
    }
    default:
      return std::nullopt;
  }
}

template <class T>
std::vector<T> Union(std::vector<T> members, const std::vector<T>& more) {
  for (const T& member : more) {
    if (std::ranges::find(members, member) == members.end()) {
      members.push_back(member);
    }
  }
  return members;
}

template <class T>
std::vector<T> Without(std::vector<T> members, const std::vector<T>& fewer) {
  std::erase_if(members,
                [&](const T& member) { return std::ranges::find(fewer, member) != fewer.end(); });
  return members;
}

std::optional<AttributeValue> Sum(const AttributeValue& value, const AttributeValue& operand) {
  if (value.type() != operand.type()) {
    return std::nullopt;
  }
  if (value.number()) {
    const auto sum = Number::Add(*value.number(), *operand.number());
    return sum ? std::optional(AttributeValue(*sum)) : std::nullopt;
  }
  if (value.string_set()) {
    return AttributeValue::StringSet{Union(*value.string_set(), *operand.string_set())};
  }
  if (value.number_set()) {
    return AttributeValue::NumberSet{Union(*value.number_set(), *operand.number_set())};
  }
  return std::nullopt;
}

// `removed`: no member is left.
std::optional<AttributeValue> Rest(const AttributeValue& value, const AttributeValue& operand,
                                   bool& removed) {
  if (value.type() != operand.type()) {
    return std::nullopt;
  }
  if (value.string_set()) {
    AttributeValue::StringSet set{Without(*value.string_set(), *operand.string_set())};
    removed = set.members.empty();
    return set;
  }
  if (value.number_set()) {
    AttributeValue::NumberSet set{Without(*value.number_set(), *operand.number_set())};
    removed = set.members.empty();
    return set;
  }
  return std::nullopt;
}

// False: the path leads nowhere.
bool Store(const Path& target, AttributeValue value, Item& item) {
  AttributeValue* attribute = item.Find(target.attribute);
  if (target.key) {
    if (!attribute || !attribute->map()) {
      return false;
    }
    attribute->map()->Set(*target.key, std::move(value));
    return true;
  }
  if (target.index) {
    if (!attribute || !attribute->list()) {
      return false;
    }
    AttributeValue::List& list = *attribute->list();
    if (*target.index < list.size()) {
      list[*target.index] = std::move(value);
    } else {
      list.push_back(std::move(value));
    }
    return true;
  }
  item.Set(target.attribute, std::move(value));
  return true;
}

bool Remove(const Path& target, Item& item) {
  AttributeValue* attribute = item.Find(target.attribute);
  if (target.key) {
    if (!attribute || !attribute->map()) {
      return false;
    }
    attribute->map()->Remove(*target.key);
    return true;
  }
  if (target.index) {
    if (!attribute || !attribute->list()) {
      return false;
    }
    AttributeValue::List& list = *attribute->list();
    if (*target.index < list.size()) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(*target.index));
    }
    return true;
  }
  item.Remove(target.attribute);
  return true;
}

bool Run(const Action& action, const Item& old_item, Item& item) {
  const AttributeValue* current = Find(old_item, action.target);
  switch (action.kind) {
    case Kind::kRemove:
      return Remove(action.target, item);
    case Kind::kAdd: {
      if (!current) {
        return Store(action.target, action.value, item);
      }
      auto sum = Sum(*current, action.value);
      return sum && Store(action.target, *std::move(sum), item);
    }
    case Kind::kDelete: {
      if (!current) {
        return true;
      }
      bool removed = false;
      auto rest = Rest(*current, action.value, removed);
      return rest &&
             (removed ? Remove(action.target, item) : Store(action.target, *std::move(rest), item));
    }
    default: {
      auto value = NewValue(action, old_item);
      return value && Store(action.target, *std::move(value), item);
    }
  }
}

void AddTouched(const Path& target, const Item& item, Item& touched) {
  const AttributeValue* value = Find(item, target);
  if (value == nullptr) {
    return;
  }
  if (target.key) {
    touched.Set(target.attribute, Item{{*target.key, *value}});
  } else if (target.index) {
    touched.Set(target.attribute, AttributeValue::List{*value});
  } else {
    touched.Set(target.attribute, *value);
  }
}

}  // namespace

std::optional<Updated> Apply(const Update& update, const Item& old_item) {
  Updated updated{.item = old_item};
  for (const Action& action : update) {
    if (!Run(action, old_item, updated.item)) {
      return std::nullopt;
    }
  }
  for (const Action& action : update) {
    AddTouched(action.target, old_item, updated.touched_old);
    AddTouched(action.target, updated.item, updated.touched_new);
  }
  return updated;
}

std::string Print(const Update& update, Placeholders& placeholders) {
  std::string clauses[4];  // SET, REMOVE, ADD, DELETE.
  for (const Action& action : update) {
    const std::string target = Print(action.target, placeholders);
    const auto source = [&] { return Print(action.source, placeholders); };
    const auto value = [&] { return placeholders.Value(action.value); };
    std::string* clause = &clauses[0];
    std::string text = target + " = ";
    switch (action.kind) {
      case Kind::kSet:
        text += value();
        break;
      case Kind::kCopy:
        text += source();
        break;
      case Kind::kSum:
        text += source() + " + " + value();
        break;
      case Kind::kDifference:
        text += source() + " - " + value();
        break;
      case Kind::kSetIfNotExists:
        text += "if_not_exists(" + source() + ", " + value() + ")";
        break;
      case Kind::kAppend:
        text += "list_append(" + source() + ", " + value() + ")";
        break;
      case Kind::kRemove:
        clause = &clauses[1];
        text = target;
        break;
      case Kind::kAdd:
        clause = &clauses[2];
        text = target + " " + value();
        break;
      case Kind::kDelete:
        clause = &clauses[3];
        text = target + " " + value();
        break;
    }
    *clause += (clause->empty() ? "" : ", ") + text;
  }
  std::string text;
  for (const auto& [word, clause] : {std::pair{"SET ", clauses[0]},
                                     {"REMOVE ", clauses[1]},
                                     {"ADD ", clauses[2]},
                                     {"DELETE ", clauses[3]}}) {
    if (!clause.empty()) {
      text += (text.empty() ? "" : " ") + (word + clause);
    }
  }
  return text;
}

}  // namespace prejoin::reference
