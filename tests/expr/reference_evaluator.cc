#include "tests/expr/reference_evaluator.h"

#include <algorithm>
#include <map>
#include <optional>

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

std::int64_t Utf16Units(const std::string& text) {
  std::int64_t units = 0;
  for (std::size_t at = 0; at < text.size(); ++units) {
    const auto lead = static_cast<unsigned char>(text[at]);
    at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    units += lead >= 0xF0;
  }
  return units;
}

Value Size(const Value& value) {
  if (!value.has_value()) {
    return std::nullopt;
  }
  if (value->string() != nullptr) {
    return AttributeValue(Utf16Units(*value->string()));
  }
  if (value->binary() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->binary()->size()));
  }
  if (value->list() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->list()->size()));
  }
  if (value->map() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->map()->size()));
  }
  if (value->string_set() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->string_set()->size()));
  }
  if (value->number_set() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->number_set()->size()));
  }
  if (value->binary_set() != nullptr) {
    return AttributeValue(static_cast<std::int64_t>(value->binary_set()->size()));
  }
  return std::nullopt;
}

Value Get(const Operand& operand, const Item& item) {
  if (const auto* path = std::get_if<Path>(&operand)) {
    return Lookup(*path, item);
  }
  if (const auto* literal = std::get_if<Literal>(&operand)) {
    return literal->value;
  }
  return Size(Lookup(std::get<SizeOf>(operand).path, item));
}

// True if the two compare and their order is one of those asked for.
bool Ordered(const Value& a, const Value& b, bool less, bool equal, bool greater) {
  if (!a.has_value() || !b.has_value() || a->type() != b->type()) {
    return false;
  }
  int order = 0;
  if (a->number() != nullptr) {
    order = *a->number() < *b->number() ? -1 : *a->number() > *b->number() ? 1 : 0;
  } else if (a->string() != nullptr) {
    order = a->string()->compare(*b->string());
  } else if (a->binary() != nullptr) {
    order = a->binary()->compare(*b->binary());
  } else {
    return false;
  }
  return order < 0 ? less : order > 0 ? greater : equal;
}

bool Same(const Value& a, const Value& b) { return a.has_value() && b.has_value() && *a == *b; }

bool Compare(Comparator comparator, const Value& a, const Value& b) {
  switch (comparator) {
    case Comparator::kEq:
      return Same(a, b);
    case Comparator::kNe:
      return !Same(a, b);
    case Comparator::kLt:
      return Ordered(a, b, true, false, false);
    case Comparator::kLe:
      return Ordered(a, b, true, true, false);
    case Comparator::kGt:
      return Ordered(a, b, false, false, true);
    case Comparator::kGe:
      return Ordered(a, b, false, true, true);
  }
  return false;
}

template <class T>
bool Has(const std::vector<T>& members, const T& member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

bool HasMember(const AttributeValue& container, const AttributeValue& member) {
  if (container.string() != nullptr) {
    return member.string() != nullptr &&
           container.string()->find(*member.string()) != std::string::npos;
  }
  if (container.binary() != nullptr) {
    return member.binary() != nullptr &&
           container.binary()->find(*member.binary()) != std::string::npos;
  }
  if (container.list() != nullptr) {
    return Has(*container.list(), member);
  }
  if (container.string_set() != nullptr) {
    return member.string() != nullptr && Has(*container.string_set(), *member.string());
  }
  if (container.number_set() != nullptr) {
    return member.number() != nullptr && Has(*container.number_set(), *member.number());
  }
  if (container.binary_set() != nullptr) {
    return member.binary() != nullptr && Has(*container.binary_set(), *member.binary());
  }
  return false;
}

bool EvaluateCall(const Call& call, const Item& item) {
  const Value first = Get(call.arguments[0], item);
  if (call.function == Function::kAttributeExists) {
    return first.has_value();
  }
  if (call.function == Function::kAttributeNotExists) {
    return !first.has_value();
  }
  const Value second = Get(call.arguments[1], item);
  if (!first.has_value() || !second.has_value()) {
    return false;
  }
  if (call.function == Function::kAttributeType) {
    return TypeName(first->type()) == *second->string();
  }
  if (call.function == Function::kContains) {
    return HasMember(*first, *second);
  }
  if (first->string() != nullptr && second->string() != nullptr) {
    return first->string()->rfind(*second->string(), 0) == 0;
  }
  return first->binary() != nullptr && second->binary() != nullptr &&
         first->binary()->rfind(*second->binary(), 0) == 0;
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
