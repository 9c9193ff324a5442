#include "engine/item/request_expressions.h"

#include <algorithm>

#include "expr/legacy.h"

namespace prejoin::engine {
namespace {

std::string Join(const std::vector<std::string_view>& names, std::string_view separator) {
  std::string joined;
  for (const std::string_view name : names) {
    if (!joined.empty()) {
      joined += separator;
    }
    joined += name;
  }
  return joined;
}

std::vector<std::string_view> Given(std::initializer_list<Parameter> parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) {
    if (parameter.given) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

}  // namespace

Status CheckNotMixed(std::initializer_list<Parameter> expressions,
                     std::initializer_list<Parameter> legacy) {
  const auto given_expressions = Given(expressions);
  const auto given_legacy = Given(legacy);
  if (given_expressions.empty() || given_legacy.empty()) {
    return {};
  }
  return ValidationError(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {" +
      Join(given_legacy, ", ") + "} Expression parameters: {" + Join(given_expressions, ", ") +
      "}");
}

Status CheckOperatorHasUse(bool has_operator, bool has_conditions) {
  return !has_operator || has_conditions
             ? Status()
             : Status(ValidationError(
                   "ConditionalOperator cannot be used without Filter or Expected"));
}

Status CheckPlaceholders(const expr::Placeholders& placeholders,
                         std::initializer_list<Parameter> expressions, UnusedValuesText text) {
  if (placeholders.names() == nullptr && placeholders.values() == nullptr) {
    return {};
  }
  const bool any = std::ranges::any_of(expressions, &Parameter::given);
  if (placeholders.names() != nullptr && !any) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  std::vector<std::string_view> value_takers;
  bool any_value_taker = false;
  for (const Parameter& expression : expressions) {
    if (expression.takes_values) {
      value_takers.push_back(expression.name);
      any_value_taker = any_value_taker || expression.given;
    }
  }
  if (placeholders.values() != nullptr && !any_value_taker) {
    std::string message = "ExpressionAttributeValues can only be specified when using expressions";
    if (text == UnusedValuesText::kNamesExpressions) {
      message +=
          ": " + Join(value_takers, " and ") + (value_takers.size() > 1 ? " are null" : " is null");
    }
    return ValidationError(std::move(message));
  }
  return placeholders.CheckSyntax(any);
}

Result<std::optional<expr::Condition>> ParseWriteCondition(
    const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    std::optional<ConditionalOperator> conditional_operator, expr::Placeholders& placeholders) {
  if (condition_expression) {
    PJ_ASSIGN_OR_RETURN(
        expr::Condition condition,
        ParseCondition(expr::ConditionKind::kCondition, *condition_expression, placeholders));
    return std::optional<expr::Condition>(std::move(condition));
  }
  if (expected) {
    return expr::FromExpected(*expected, conditional_operator);
  }
  return std::optional<expr::Condition>();
}

Result<std::optional<expr::Projection>> ParseReadProjection(
    const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expr::Placeholders& placeholders) {
  if (projection_expression) {
    PJ_ASSIGN_OR_RETURN(expr::Projection projection,
                        ParseProjection(*projection_expression, placeholders));
    return std::optional<expr::Projection>(std::move(projection));
  }
  if (attributes_to_get) {
    PJ_ASSIGN_OR_RETURN(expr::Projection projection, expr::FromAttributesToGet(*attributes_to_get));
    return std::optional<expr::Projection>(std::move(projection));
  }
  return std::optional<expr::Projection>();
}

}  // namespace prejoin::engine
