#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/item_write.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "expr/legacy.h"
#include "expr/update_charge.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

Status ParseExpressions(const UpdateItemInput& input, ItemWrite& write) {
  const std::initializer_list<Parameter> expressions = {
      {"UpdateExpression", input.update_expression.has_value()},
      {"ConditionExpression", input.condition_expression.has_value()}};
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      expressions, {{"AttributeUpdates", input.attribute_updates.has_value()},
                    {"Expected", input.expected.has_value()},
                    {"ConditionalOperator", input.conditional_operator.has_value()}}));
  PJ_RETURN_IF_ERROR(
      CheckOperatorHasUse(input.conditional_operator.has_value(), input.expected.has_value()));
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions, UnusedValuesText::kPlain));
  if (input.update_expression) {
    PJ_ASSIGN_OR_RETURN(write.update, ParseUpdate(*input.update_expression, placeholders));
  } else if (input.attribute_updates) {
    PJ_ASSIGN_OR_RETURN(write.update, expr::FromAttributeUpdates(*input.attribute_updates));
    write.creates_item =
        input.attribute_updates->empty() ||
        std::ranges::any_of(*input.attribute_updates, [](const auto& entry) {
          return entry.second.action.value_or(LegacyAction::kPut) != LegacyAction::kDelete;
        });
  }
  PJ_ASSIGN_OR_RETURN(write.condition,
                      ParseWriteCondition(input.condition_expression, input.expected,
                                          input.conditional_operator, placeholders));
  return placeholders.CheckAllUsed();
}

std::optional<StoredItem> Returned(ReturnValues wanted, ItemEffect& effect) {
  switch (wanted) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return std::move(effect.old_item);
    case ReturnValues::kAllNew:
      return std::move(effect.new_item);
    case ReturnValues::kUpdatedOld:
      return effect.old_item ? IfAny(effect.updated_old) : std::nullopt;
    case ReturnValues::kUpdatedNew:
      return IfAny(effect.updated_new);
  }
  return std::nullopt;
}

}  // namespace

Result<UpdateItemOutput> UpdateItem(Engine& engine, RequestContext& context,
                                    const UpdateItemInput& input) {
  ItemWrite write;
  write.return_values = input.return_values.value_or(ReturnValues::kNone);
  write.on_failure = input.return_values_on_condition_check_failure;
  PJ_RETURN_IF_ERROR(InEnvelope(ParseExpressions(input, write)));
  if (write.update && input.update_expression &&
      expr::ChargedBytes(*write.update) > kItemBytesMax) {
    return ValidationError("Item size to update has exceeded the maximum allowed size");
  }
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(input.table_name));
  PJ_RETURN_IF_ERROR(PlanUpdate(std::move(table), input.key, write));
  PJ_RETURN_IF_ERROR(CheckConditionPaths(write));

  PJ_ASSIGN_OR_RETURN(ItemEffect effect, RunWrite(engine, context, write));
  UpdateItemOutput output;
  FinishWrite(write, effect, input, output);
  output.attributes = Returned(write.return_values, effect);
  return output;
}

}  // namespace prejoin::engine
