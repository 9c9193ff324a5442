#include <set>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/cancellation.h"
#include "engine/item/idempotency.h"
#include "engine/item/item_write.h"
#include "engine/item/keys.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

Status ParseExpressions(const TransactWrite& item, ItemWrite& write) {
  const bool is_update = item.action == TransactAction::kUpdate;
  const std::initializer_list<Parameter> update_expressions = {
      {"UpdateExpression", item.update_expression.has_value()},
      {"ConditionExpression", item.condition_expression.has_value()}};
  const std::initializer_list<Parameter> other_expressions = {
      {"ConditionExpression", item.condition_expression.has_value()}};
  expr::Placeholders placeholders(PointerTo(item.expression_attribute_names),
                                  PointerTo(item.expression_attribute_values));
  PJ_RETURN_IF_ERROR(
      CheckPlaceholders(placeholders, is_update ? update_expressions : other_expressions));
  if (is_update && item.update_expression) {
    PJ_ASSIGN_OR_RETURN(write.update, ParseUpdate(*item.update_expression, placeholders));
  }
  PJ_ASSIGN_OR_RETURN(write.condition, ParseWriteCondition(item.condition_expression, std::nullopt,
                                                           std::nullopt, placeholders));
  write.on_failure = item.return_values_on_condition_check_failure;
  return placeholders.CheckAllUsed();
}

Status Plan(const TransactWrite& item, TablePtr table, ItemWrite& write) {
  switch (item.action) {
    case TransactAction::kPut:
      return PlanPut(std::move(table), item.item_or_key, write);
    case TransactAction::kUpdate:
      return PlanUpdate(std::move(table), item.item_or_key, write);
    case TransactAction::kDelete:
      return PlanDelete(std::move(table), item.item_or_key, write);
    case TransactAction::kConditionCheck:
      return PlanCheck(std::move(table), item.item_or_key, write);
  }
  return {};
}

// An item that the schema refuses cancels the transaction, with a reason for each item; a mistake in
// the request as a whole is an error of its own.
Result<std::vector<ItemWrite>> PlanAll(Engine& engine, const TransactWriteItemsInput& input) {
  std::vector<ItemWrite> writes(input.items.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    PJ_RETURN_IF_ERROR(ParseExpressions(input.items[i], writes[i]));
  }
  std::set<std::string_view> seen;
  std::size_t total_bytes = 0;
  Cancellation cancellation(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(input.items[i].table_name));
    // Empty keys and items that are too large show in the request alone.
    const auto* update = writes[i].update ? &*writes[i].update : nullptr;
    PJ_RETURN_IF_ERROR(CheckNoEmptyKeys(*table, input.items[i].item_or_key, update));
    if (input.items[i].action == TransactAction::kPut) {
      PJ_RETURN_IF_ERROR(CheckItemSize(input.items[i].item_or_key, writes[i]));
    }
    Status plan = Plan(input.items[i], std::move(table), writes[i]);
    if (plan) {
      plan = CheckConditionPaths(writes[i]);
    }
    if (!plan) {
      cancellation.Add(i, plan.error());
      continue;
    }
    if (!seen.insert(writes[i].stored_key).second) {
      return SeveralOnOneItem();
    }
    total_bytes += ItemSizeBytes(input.items[i].item_or_key);
  }
  if (total_bytes > kTransactionBytesMax) {
    return ValidationError("Transaction size cannot exceed 4 MB");
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());
  return writes;
}

}  // namespace

Status CheckExpressions(const TransactWrite& action) {
  ItemWrite write;
  return ParseExpressions(action, write);
}

Result<TransactWriteItemsOutput> TransactWriteItems(Engine& engine, RequestContext& context,
                                                    const TransactWriteItemsInput& input) {
  PJ_ASSIGN_OR_RETURN(const std::vector<ItemWrite> writes, PlanAll(engine, input));
  std::optional<TokenGuard> token;
  if (input.client_request_token) {
    token.emplace(input, engine.clock());
  }
  PJ_ASSIGN_OR_RETURN(const WriteOutcome outcome, RunWrites(engine, context,
                                                            {.writes = writes,
                                                             .report = FailureReport::kReasons,
                                                             .guard = token ? &*token : nullptr}));
  TransactWriteItemsOutput output;
  if (outcome.done_before) {
    TableMeters meters(CapacityMeter::Kind::kRead);
    MeterReplay(writes, outcome, meters);
    output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  } else {
    FinishWrites(writes, outcome, 2, input, output);
  }
  return output;
}

}  // namespace prejoin::engine
