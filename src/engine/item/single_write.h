// PutItem and DeleteItem: what the two have in common. UpdateItem shares less of it.
#ifndef PREJOIN_ENGINE_ITEM_SINGLE_WRITE_H_
#define PREJOIN_ENGINE_ITEM_SINGLE_WRITE_H_

#include <utility>

#include "engine/engine.h"
#include "engine/errors.h"
#include "engine/item/item_write.h"
#include "engine/item/request_expressions.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// The parameters together, before anything is parsed.
template <class Input>
Status CheckSingleWriteParameters(const Input& input, const expr::Placeholders& placeholders) {
  const std::initializer_list<Parameter> expressions = {
      {"ConditionExpression", input.condition_expression.has_value()}};
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      expressions, {{"Expected", input.expected.has_value()},
                    {"ConditionalOperator", input.conditional_operator.has_value()}}));
  PJ_RETURN_IF_ERROR(
      CheckOperatorHasUse(input.conditional_operator.has_value(), input.expected.has_value()));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions, UnusedValuesText::kPlain));
  const ReturnValues return_values = input.return_values.value_or(ReturnValues::kNone);
  if (return_values != ReturnValues::kNone && return_values != ReturnValues::kAllOld) {
    return ValidationError("ReturnValues can only be ALL_OLD or NONE");
  }
  return {};
}

// The part of a plan that does not need the table, with DynamoDB's order of errors.
template <class Input>
Result<ItemWrite> ParseSingleWrite(const Input& input) {
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(InEnvelope(CheckSingleWriteParameters(input, placeholders)));
  ItemWrite write;
  write.return_values = input.return_values.value_or(ReturnValues::kNone);
  write.on_failure = input.return_values_on_condition_check_failure;
  if constexpr (requires { input.item; }) {
    PJ_RETURN_IF_ERROR(CheckItemSize(input.item, write));
  }
  auto condition = ParseWriteCondition(input.condition_expression, input.expected,
                                       input.conditional_operator, placeholders);
  if (!condition) {
    return InEnvelope(std::move(condition).error());
  }
  write.condition = *std::move(condition);
  PJ_RETURN_IF_ERROR(InEnvelope(placeholders.CheckAllUsed()));
  return write;
}

template <class Input>
Result<WriteItemOutput> RunSingleWrite(Engine& engine, RequestContext& context,
                                       const ItemWrite& write, const Input& input) {
  PJ_RETURN_IF_ERROR(CheckConditionPaths(write));
  PJ_ASSIGN_OR_RETURN(ItemEffect effect, RunWrite(engine, context, write));
  WriteItemOutput output;
  if (write.return_values == ReturnValues::kAllOld) {
    output.attributes = std::move(effect.old_item);
  }
  FinishWrite(write, effect, input, output);
  return output;
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_SINGLE_WRITE_H_
