// To add a function, add a row: the parser, the printer, the evaluator and PartiQL all read this
// table. A row without an evaluation does not compile.
#include "expr/functions.h"

#include <cstring>

#include "base/check.h"

namespace prejoin::expr {
namespace {

using Operands = std::array<ValueView, kFunctionOperandsMax>;

bool Exists(const Operands&) { return true; }
bool IsAbsent(const Operands&) { return false; }

bool HasType(const Operands& operands) {
  return TypeName(operands[0].type()) == operands[1].string();
}

bool StartsWith(const Operands& operands) {
  const auto& [value, prefix] = operands;
  return value.type() == prefix.type() &&
         (value.type() == ValueType::kString || value.type() == ValueType::kBinary) &&
         value.string().starts_with(prefix.string());
}

// memmem takes linear time on any input (two-way search); std::string_view::find compares again at
// every position, which takes 0.75 s for one call on 400 KB of repeated letters.
bool HasPart(std::string_view text, std::string_view part) {
  return part.empty() || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool HasElement(ListView list, ValueView member) {
  for (const ValueView element : list) {
    if (Equal(element, member)) {
      return true;
    }
  }
  return false;
}

bool HasPartOrMember(const Operands& operands) {
  const auto& [container, member] = operands;
  switch (container.type()) {
    case ValueType::kString:
    case ValueType::kBinary:
      return member.type() == container.type() && HasPart(container.string(), member.string());
    case ValueType::kStringSet:
      return member.type() == ValueType::kString && container.set().Contains(member.string());
    case ValueType::kNumberSet:
      return member.type() == ValueType::kNumber && container.set().Contains(member.number_text());
    case ValueType::kBinarySet:
      return member.type() == ValueType::kBinary && container.set().Contains(member.binary());
    case ValueType::kList:
      return HasElement(container.list(), member);
    default:
      return false;
  }
}

using enum OperandRule;

constexpr ConditionFunction kFunctions[] = {
    {"attribute_exists", {kPath}, false, Exists},
    {"attribute_not_exists", {kPath}, true, IsAbsent},
    {"attribute_type", {kAny, kTypeName}, false, HasType},
    {"begins_with", {kText, kText}, false, StartsWith},
    {"contains", {kAny, kAny}, false, HasPartOrMember},
};

constexpr bool EveryRowIsWhole() {
  for (const ConditionFunction& function : kFunctions) {
    if (function.evaluate == nullptr || function.operand_count() == 0) {
      return false;
    }
  }
  return true;
}
static_assert(EveryRowIsWhole(), "A condition function needs operands and an evaluation.");

const ConditionFunction* Known(std::string_view name) {
  const ConditionFunction* function = FindFunction(name);
  PJ_CHECK(function != nullptr);
  return function;
}

}  // namespace

const ConditionFunction* FindFunction(std::string_view name) {
  for (const ConditionFunction& function : kFunctions) {
    if (function.name == name) {
      return &function;
    }
  }
  return nullptr;
}

const ConditionFunction* AttributeExists() { return Known("attribute_exists"); }
const ConditionFunction* AttributeNotExists() { return Known("attribute_not_exists"); }
const ConditionFunction* AttributeType() { return Known("attribute_type"); }
const ConditionFunction* BeginsWith() { return Known("begins_with"); }
const ConditionFunction* Contains() { return Known("contains"); }

std::optional<ValueType> StaticType(const Operand& operand) {
  if (const auto* literal = std::get_if<Literal>(&operand)) {
    return literal->defined() ? std::optional(literal->value().type()) : std::nullopt;
  }
  return std::holds_alternative<SizeOf>(operand) ? std::optional(ValueType::kNumber) : std::nullopt;
}

bool IsTypeName(std::string_view name) {
  for (int type = 0; type <= static_cast<int>(ValueType::kBinarySet); ++type) {
    if (TypeName(static_cast<ValueType>(type)) == name) {
      return true;
    }
  }
  return false;
}

bool Allows(OperandRule rule, const Operand& operand) {
  const auto type = StaticType(operand);
  switch (rule) {
    case kPath:
      return std::holds_alternative<Path>(operand);
    case kText:
      return !type.has_value() || type == ValueType::kString || type == ValueType::kBinary;
    case kTypeName:
      return type == ValueType::kString && IsTypeName(*std::get<Literal>(operand).value().string());
    case kNone:
    case kAny:
      return true;
  }
  return true;
}

}  // namespace prejoin::expr
