#include "tests/expr/reference_evaluator.h"

#include <map>
#include <optional>

#include "expr/functions.h"
#include "tests/reference/value_rules.h"

namespace prejoin::expr {
namespace {

using Value = std::optional<AttributeValue>;

Value Lookup(const Path& path, const Item& item) {
  Value value = AttributeValue(item);
  for (const PathStep& step : path) {
    if (const auto* name = std::get_if<std::string>(&step.step)) {
      const AttributeValue* found = value->map() == nullptr ? nullptr : value->map()->Find(*name);
      if (found == nullptr) {
        return std::nullopt;
      }
      value = AttributeValue(*found);
    } else {
      const std::uint32_t index = std::get<std::uint32_t>(step.step);
      if (value->list() == nullptr || index >= value->list()->size()) {
        return std::nullopt;
      }
      value = AttributeValue((*value->list())[index]);
    }
  }
  return value;
}

Value Size(const Value& value) {
  const auto size = value.has_value() ? reference::SizeOf(*value) : std::nullopt;
  return size ? Value(AttributeValue(static_cast<std::int64_t>(*size))) : std::nullopt;
}

Value Get(const Operand& operand, const Item& item) {
  if (const auto* path = std::get_if<Path>(&operand)) {
    return Lookup(*path, item);
  }
  if (const auto* literal = std::get_if<Literal>(&operand)) {
    return literal->value();
  }
  return Size(Lookup(std::get<SizeOf>(operand).path, item));
}

bool Same(const Value& a, const Value& b) { return a.has_value() && b.has_value() && *a == *b; }

bool Compare(Comparator comparator, const Value& a, const Value& b) {
  static const std::map<Comparator, std::string> kSymbols = {
      {Comparator::kEq, "="},  {Comparator::kNe, "<>"}, {Comparator::kLt, "<"},
      {Comparator::kLe, "<="}, {Comparator::kGt, ">"},  {Comparator::kGe, ">="}};
  if (!b.has_value()) {
    return comparator == Comparator::kNe;
  }
  return reference::Compares(a.has_value() ? &*a : nullptr, kSymbols.at(comparator), *b);
}

bool EvaluateCall(const Call& call, const Item& item) {
  const std::string_view function = call.function->name;
  const Value first = Get(call.arguments[0], item);
  if (function == "attribute_exists") {
    return first.has_value();
  }
  if (function == "attribute_not_exists") {
    return !first.has_value();
  }
  const Value second = Get(call.arguments[1], item);
  if (!first.has_value() || !second.has_value()) {
    return false;
  }
  if (function == "attribute_type") {
    return TypeName(first->type()) == *second->string();
  }
  return function == "contains" ? reference::Contains(*first, *second)
                                : reference::BeginsWith(*first, *second);
}

// A projected value while it is being put together: list positions are packed at the end.
struct Part {
  Value whole;
  std::map<std::string, Part> entries;
  std::map<std::uint32_t, Part> elements;
};

AttributeValue Assemble(const Part& part) {
  if (part.whole.has_value()) {
    return *part.whole;
  }
  if (!part.elements.empty()) {
    AttributeValue::List list;
    for (const auto& [index, element] : part.elements) {
      list.push_back(Assemble(element));
    }
    return list;
  }
  Item map;
  for (const auto& [name, entry] : part.entries) {
    map.Set(name, Assemble(entry));
  }
  return map;
}

}  // namespace

bool ReferenceEvaluate(const Condition& condition, const Item& item) {
  const auto& node = condition.node;
  if (const auto* comparison = std::get_if<Comparison>(&node)) {
    return Compare(comparison->comparator, Get(comparison->left, item),
                   Get(comparison->right, item));
  }
  if (const auto* between = std::get_if<Between>(&node)) {
    const Value value = Get(between->value, item);
    return Compare(Comparator::kGe, value, Get(between->low, item)) &&
           Compare(Comparator::kLe, value, Get(between->high, item));
  }
  if (const auto* in = std::get_if<In>(&node)) {
    for (const Operand& candidate : in->candidates) {
      if (Same(Get(in->value, item), Get(candidate, item))) {
        return true;
      }
    }
    return false;
  }
  if (const auto* call = std::get_if<Call>(&node)) {
    return EvaluateCall(*call, item);
  }
  if (const auto* both = std::get_if<And>(&node)) {
    const bool left = ReferenceEvaluate(*both->left, item);
    const bool right = ReferenceEvaluate(*both->right, item);
    return left && right;
  }
  if (const auto* either = std::get_if<Or>(&node)) {
    const bool left = ReferenceEvaluate(*either->left, item);
    const bool right = ReferenceEvaluate(*either->right, item);
    return left || right;
  }
  return !ReferenceEvaluate(*std::get<Not>(node).inner, item);
}

Item ReferenceProject(const Projection& projection, const Item& item) {
  Part all;
  for (const Path& path : projection.paths) {
    const Value value = Lookup(path, item);
    if (!value.has_value()) {
      continue;
    }
    Part* part = &all;
    for (const PathStep& step : path) {
      part = std::holds_alternative<std::string>(step.step)
                 ? &part->entries[std::get<std::string>(step.step)]
                 : &part->elements[std::get<std::uint32_t>(step.step)];
    }
    part->whole = value;
  }
  return *Assemble(all).map();
}

}  // namespace prejoin::expr
