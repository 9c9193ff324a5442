#include <algorithm>

#include "tests/reference/expressions.h"
#include "tests/reference/value_rules.h"

namespace prejoin::reference {
namespace {

using Kind = Condition::Kind;

bool HoldsOnValue(const Condition& condition, const AttributeValue& value) {
  const auto& values = condition.values;
  switch (condition.kind) {
    case Kind::kSize: {
      const auto size = SizeOf(value);
      if (!size) {
        return false;
      }
      const AttributeValue number(static_cast<std::int64_t>(*size));
      return Compares(&number, condition.comparator, values[0]);
    }
    case Kind::kBetween:
      return Compares(&value, ">=", values[0]) && Compares(&value, "<=", values[1]);
    case Kind::kIn:
      return std::ranges::find(values, value) != values.end();
    case Kind::kType:
      return TypeName(value.type()) == *values[0].string();
    case Kind::kBeginsWith:
      return BeginsWith(value, values[0]);
    case Kind::kContains:
      return Contains(value, values[0]);
    default:
      return false;
  }
}

}  // namespace

std::string Placeholders::Name(const std::string& name) {
  const std::string placeholder = "#" + name;
  names_[placeholder] = name;
  return placeholder;
}

std::string Placeholders::Value(const AttributeValue& value) {
  const std::string placeholder = ":v" + std::to_string(values_.size());
  values_.emplace(placeholder, value);
  return placeholder;
}

std::optional<AttributeNames> Placeholders::names() const {
  return names_.empty() ? std::nullopt : std::optional(names_);
}

std::optional<AttributeValues> Placeholders::values() const {
  return values_.empty() ? std::nullopt : std::optional(values_);
}

const AttributeValue* Find(const Item& item, const Path& path) {
  const AttributeValue* value = item.Find(path.attribute);
  if (value != nullptr && path.key) {
    return value->map() ? value->map()->Find(*path.key) : nullptr;
  }
  if (value != nullptr && path.index) {
    const auto* list = value->list();
    return list && *path.index < list->size() ? &(*list)[*path.index] : nullptr;
  }
  return value;
}

std::string Print(const Path& path, Placeholders& placeholders) {
  std::string text = placeholders.Name(path.attribute);
  if (path.key) {
    text += "." + placeholders.Name(*path.key);
  }
  if (path.index) {
    text += "[" + std::to_string(*path.index) + "]";
  }
  return text;
}

bool Holds(const Condition& condition, const Item& item) {
  const AttributeValue* value = Find(item, condition.path);
  const auto holds = [&](const Condition& child) { return Holds(child, item); };
  switch (condition.kind) {
    case Kind::kAnd:
      return std::ranges::all_of(condition.children, holds);
    case Kind::kOr:
      return std::ranges::any_of(condition.children, holds);
    case Kind::kNot:
      return !holds(condition.children[0]);
    case Kind::kCompare:
      return Compares(value, condition.comparator, condition.values[0]);
    case Kind::kExists:
      return value != nullptr;
    case Kind::kNotExists:
      return value == nullptr;
    default:
      return value != nullptr && HoldsOnValue(condition, *value);
  }
}

std::string Print(const Condition& condition, Placeholders& placeholders) {
  const auto path = [&] { return Print(condition.path, placeholders); };
  const auto value = [&](std::size_t i) { return placeholders.Value(condition.values[i]); };
  const auto joined = [&](const std::string& word) {
    std::string text = "(" + Print(condition.children[0], placeholders);
    for (std::size_t i = 1; i < condition.children.size(); ++i) {
      text += word + Print(condition.children[i], placeholders);
    }
    return text + ")";
  };
  switch (condition.kind) {
    case Kind::kCompare:
      return path() + " " + condition.comparator + " " + value(0);
    case Kind::kSize:
      return "size(" + path() + ") " + condition.comparator + " " + value(0);
    case Kind::kBetween:
      return path() + " BETWEEN " + value(0) + " AND " + value(1);
    case Kind::kIn: {
      std::string text = path() + " IN (" + value(0);
      for (std::size_t i = 1; i < condition.values.size(); ++i) {
        text += ", " + value(i);
      }
      return text + ")";
    }
    case Kind::kExists:
      return "attribute_exists(" + path() + ")";
    case Kind::kNotExists:
      return "attribute_not_exists(" + path() + ")";
    case Kind::kType:
      return "attribute_type(" + path() + ", " + value(0) + ")";
    case Kind::kBeginsWith:
      return "begins_with(" + path() + ", " + value(0) + ")";
    case Kind::kContains:
      return "contains(" + path() + ", " + value(0) + ")";
    case Kind::kAnd:
      return joined(" AND ");
    case Kind::kOr:
      return joined(" OR ");
    case Kind::kNot: {
      const Condition& child = condition.children[0];
      const std::string text = Print(child, placeholders);
      // AND and OR come with parentheses, and a second pair is an error.
      return child.kind == Kind::kAnd || child.kind == Kind::kOr ? "NOT " + text
                                                                 : "NOT (" + text + ")";
    }
  }
  return "";
}

void CollectAttributes(const Condition& condition, std::vector<std::string>& names) {
  if (condition.children.empty()) {
    names.push_back(condition.path.attribute);
  }
  for (const Condition& child : condition.children) {
    CollectAttributes(child, names);
  }
}

}  // namespace prejoin::reference
