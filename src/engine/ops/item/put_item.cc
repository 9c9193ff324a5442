#include <utility>
#include <vector>

#include "engine/item/item_write.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<PutItemOutput> PutItem(Engine& engine, RequestContext& context, const PutItemInput& input) {
  const std::initializer_list<Parameter> expressions = {
      {"ConditionExpression", input.condition_expression.has_value()}};
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      expressions, {{"Expected", input.expected.has_value()},
                    {"ConditionalOperator", input.conditional_operator.has_value()}}));
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  const ReturnValues return_values = input.return_values.value_or(ReturnValues::kNone);
  if (return_values != ReturnValues::kNone && return_values != ReturnValues::kAllOld) {
    return ValidationError("ReturnValues can only be ALL_OLD or NONE");
  }

  ItemWrite write;
  write.on_failure = input.return_values_on_condition_check_failure;
  PJ_RETURN_IF_ERROR(CheckItemSize(input.item, write));
  PJ_ASSIGN_OR_RETURN(write.condition,
                      ParseWriteCondition(input.condition_expression, input.expected,
                                          input.conditional_operator, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(input.table_name));
  PJ_RETURN_IF_ERROR(PlanPut(std::move(table), input.item, write));

  std::vector<ItemEffect> effects;
  PJ_RETURN_IF_ERROR(
      RunWrites(engine, context, {&write, 1}, FailureReport::kFirst, nullptr, effects));

  PutItemOutput output;
  if (return_values == ReturnValues::kAllOld) {
    output.attributes = std::move(effects[0].old_item);
  }
  FinishWrite(write, effects[0], input, output);
  return output;
}

}  // namespace prejoin::engine
