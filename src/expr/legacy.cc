#include "expr/legacy.h"

#include <algorithm>
#include <span>

#include "expr/functions.h"
#include "expr/grammar.h"
#include "expr/legacy_arguments.h"
#include "value/encoding.h"

namespace prejoin::expr {
namespace {

Error Invalid(std::string reason) {
  return ValidationError("One or more parameter values were invalid: " + std::move(reason));
}

Path TopLevel(const std::string& name) { return {PathStep{name}}; }

Literal ToLiteral(const AttributeValue& value) {
  return expr::MakeLiteral(":" + std::string(TypeName(value.type())), value);  // For Print only.
}

template <class T>
ConditionPtr Own(T node) {
  return std::make_unique<Condition>(Condition{std::move(node)});
}

ConditionPtr MakeCall(const ConditionFunction* function, const std::string& name,
                      const std::vector<AttributeValue>& values) {
  Call call{function, {}};
  call.arguments.emplace_back(TopLevel(name));
  for (const AttributeValue& value : values) {
    call.arguments.emplace_back(ToLiteral(value));
  }
  return Own(std::move(call));
}

ConditionPtr MakeComparison(Comparator comparator, const std::string& name,
                            const AttributeValue& value) {
  return Own(Comparison{comparator, TopLevel(name), ToLiteral(value)});
}

ConditionPtr MakeIn(const std::string& name, const std::vector<AttributeValue>& values) {
  In in{TopLevel(name), {}};
  for (const AttributeValue& value : values) {
    in.candidates.emplace_back(ToLiteral(value));
  }
  return Own(std::move(in));
}

// The arguments have passed CheckArguments.
ConditionPtr MakeCondition(const std::string& name, LegacyOperator comparison,
                           const std::vector<AttributeValue>& values) {
  switch (comparison) {
    case LegacyOperator::kEq:
      return MakeComparison(Comparator::kEq, name, values[0]);
    case LegacyOperator::kNe:
      return MakeComparison(Comparator::kNe, name, values[0]);
    case LegacyOperator::kLe:
      return MakeComparison(Comparator::kLe, name, values[0]);
    case LegacyOperator::kLt:
      return MakeComparison(Comparator::kLt, name, values[0]);
    case LegacyOperator::kGe:
      return MakeComparison(Comparator::kGe, name, values[0]);
    case LegacyOperator::kGt:
      return MakeComparison(Comparator::kGt, name, values[0]);
    case LegacyOperator::kIn:
      return MakeIn(name, values);
    case LegacyOperator::kBetween:
      return Own(Between{TopLevel(name), ToLiteral(values[0]), ToLiteral(values[1])});
    case LegacyOperator::kNotNull:
      return MakeCall(AttributeExists(), name, {});
    case LegacyOperator::kNull:
      return MakeCall(AttributeNotExists(), name, {});
    case LegacyOperator::kContains:
      return MakeCall(Contains(), name, values);
    case LegacyOperator::kNotContains:
      // Unlike NE, it is false when there is no attribute.
      return Own(
          And{MakeCall(AttributeExists(), name, {}), Own(Not{MakeCall(Contains(), name, values)})});
    case LegacyOperator::kBeginsWith:
      return MakeCall(BeginsWith(), name, values);
  }
  return nullptr;
}

Status CheckConditionalOperator(std::size_t condition_count,
                                std::optional<ConditionalOperator> conditional_operator) {
  if (conditional_operator.has_value() && condition_count == 0) {
    return ValidationError("ConditionalOperator cannot be used without Filter or Expected");
  }
  if (conditional_operator.has_value() && condition_count == 1) {
    return ValidationError(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return {};
}

// Joins the conditions in order, as a tree that is no deeper than it must be: whoever walks through it does so by recursion.
ConditionPtr Join(std::span<ConditionPtr> conditions,
                  std::optional<ConditionalOperator> conditional_operator) {
  if (conditions.empty()) {
    return nullptr;
  }
  if (conditions.size() == 1) {
    return std::move(conditions[0]);
  }
  const std::size_t half = conditions.size() / 2;
  ConditionPtr left = Join(conditions.first(half), conditional_operator);
  ConditionPtr right = Join(conditions.subspan(half), conditional_operator);
  return conditional_operator == ConditionalOperator::kOr
             ? Own(Or{std::move(left), std::move(right)})
             : Own(And{std::move(left), std::move(right)});
}

std::optional<Condition> Release(ConditionPtr condition) {
  if (condition == nullptr) {
    return std::nullopt;
  }
  return std::move(*condition);
}

// An entry with a ComparisonOperator.
Result<ConditionPtr> FromComparison(const std::string& name, const ExpectedAttribute& expected) {
  const LegacyOperator comparison = *expected.comparison;
  if (expected.exists.has_value()) {
    return Invalid("Exists and ComparisonOperator cannot be used together for Attribute: " + name);
  }
  const bool takes_none =
      comparison == LegacyOperator::kNull || comparison == LegacyOperator::kNotNull;
  if (!takes_none && !expected.values.has_value() && !expected.value.has_value()) {
    return Invalid("Value or AttributeValueList must be used with ComparisonOperator: " +
                   std::string(Name(comparison)) + " for Attribute: " + name);
  }
  std::vector<AttributeValue> values = expected.values.value_or(std::vector<AttributeValue>());
  if (expected.value.has_value()) {
    values.push_back(*expected.value);
  }
  PJ_RETURN_IF_ERROR(CheckArguments(comparison, values));
  return MakeCondition(name, comparison, values);
}

// An entry with Exists, Value or both.
Result<ConditionPtr> FromExists(const std::string& name, const ExpectedAttribute& expected) {
  if (expected.values.has_value()) {
    return Invalid("AttributeValueList can only be used with a ComparisonOperator for Attribute: " +
                   name);
  }
  if (expected.exists == false) {
    if (expected.value.has_value()) {
      return Invalid("Value cannot be used when Exists is false for Attribute: " + name);
    }
    return MakeCondition(name, LegacyOperator::kNull, {});
  }
  if (!expected.value.has_value()) {
    return Invalid(std::string("Value must be provided when Exists is ") +
                   (expected.exists.has_value() ? "true" : "null") + " for Attribute: " + name);
  }
  return MakeCondition(name, LegacyOperator::kEq, {*expected.value});
}

Status CheckUpdate(const AttributeUpdate& update) {
  const LegacyAction action = update.action.value_or(LegacyAction::kPut);
  if (!update.value.has_value()) {
    if (action != LegacyAction::kDelete) {
      return Invalid("Only DELETE action is allowed when no attribute value is specified");
    }
    return {};
  }
  const ValueType type = update.value->type();
  const bool is_set = type == ValueType::kStringSet || type == ValueType::kNumberSet ||
                      type == ValueType::kBinarySet;
  if (action == LegacyAction::kDelete && !is_set) {
    return Invalid("DELETE action with value is not supported for the type " +
                   std::string(TypeName(type)));
  }
  if (action == LegacyAction::kAdd && !is_set && type != ValueType::kNumber &&
      type != ValueType::kList) {
    return Invalid("ADD action is not supported for the type " + std::string(TypeName(type)));
  }
  return {};
}

}  // namespace

Result<std::optional<Condition>> FromExpected(
    const ExpectedAttributes& expected, std::optional<ConditionalOperator> conditional_operator) {
  PJ_RETURN_IF_ERROR(CheckConditionalOperator(expected.size(), conditional_operator));
  std::vector<ConditionPtr> all;
  for (const auto& [name, entry] : expected) {
    if (entry.values.has_value() && entry.value.has_value()) {
      return Invalid("Value and AttributeValueList cannot be used together for Attribute: " + name);
    }
    PJ_ASSIGN_OR_RETURN(ConditionPtr next, entry.comparison.has_value()
                                               ? FromComparison(name, entry)
                                               : FromExists(name, entry));
    all.push_back(std::move(next));
  }
  return Release(Join(all, conditional_operator));
}

Result<std::optional<Condition>> FromFilter(
    const LegacyConditions& conditions, std::optional<ConditionalOperator> conditional_operator) {
  PJ_RETURN_IF_ERROR(CheckConditionalOperator(conditions.size(), conditional_operator));
  std::vector<ConditionPtr> all;
  for (const auto& [name, condition] : conditions) {
    PJ_RETURN_IF_ERROR(CheckArguments(condition.comparison, condition.values));
    all.push_back(MakeCondition(name, condition.comparison, condition.values));
  }
  return Release(Join(all, conditional_operator));
}

Result<Update> FromAttributeUpdates(const AttributeUpdates& updates) {
  Update result;
  result.legacy = true;
  for (const auto& [name, update] : updates) {
    PJ_RETURN_IF_ERROR(CheckUpdate(update));
    switch (update.action.value_or(LegacyAction::kPut)) {
      case LegacyAction::kPut:
        result.sets.push_back({TopLevel(name), {ToLiteral(*update.value)}});
        break;
      case LegacyAction::kAdd:
        result.adds.push_back({TopLevel(name), ToLiteral(*update.value)});
        break;
      case LegacyAction::kDelete:
        if (update.value.has_value()) {
          result.deletes.push_back({TopLevel(name), ToLiteral(*update.value)});
        } else {
          result.removes.push_back({TopLevel(name)});
        }
        break;
    }
  }
  return result;
}

Result<Projection> FromAttributesToGet(const std::vector<std::string>& names) {
  Projection projection;
  for (const std::string& name : names) {
    projection.paths.push_back(TopLevel(name));
  }
  std::ranges::sort(projection.paths, PathLess);
  const auto twice = std::ranges::adjacent_find(projection.paths);
  if (twice != projection.paths.end()) {
    return Invalid("Duplicate value in attribute name: " + Print(*twice));
  }
  return projection;
}

}  // namespace prejoin::expr
