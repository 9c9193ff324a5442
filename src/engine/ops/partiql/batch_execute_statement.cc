#include <utility>
#include <vector>

#include "engine/ops/operations.h"
#include "engine/partiql/statement_items.h"

namespace prejoin::engine {
namespace {

constexpr char kBatchExecuteStatement[] = "BatchExecuteStatement";

// A statement that is refused before it runs answers without the name of its table: `ran` says
// whether it came so far.
Result<std::optional<StoredItem>> ReadOne(Engine& engine, RequestContext& context,
                                          const partiql::Select& select, Consistency consistency,
                                          TableMeters& meters, bool& ran) {
  PJ_ASSIGN_OR_RETURN(const ItemRead read,
                      PlanItemRead(engine, context, select, kBatchExecuteStatement, consistency));
  ran = true;
  PJ_ASSIGN_OR_RETURN(const auto found, ReadItem(engine, context, read, meters.Of(read.table)));
  return SelectedItem(select, *found);
}

Result<std::optional<StoredItem>> Write(Engine& engine, RequestContext& context,
                                        partiql::Statement& statement,
                                        ReturnValuesOnFailure on_failure, TableMeters& meters,
                                        bool& ran) {
  PJ_ASSIGN_OR_RETURN(const ItemWrite write, PlanStatement(engine, statement, on_failure));
  ran = true;
  PJ_ASSIGN_OR_RETURN(ItemEffect effect, RunStatement(engine, context, statement, write));
  AddUnits(effect, 1, meters.Of(write.table));
  return Returned(ReturningOf(statement), effect);
}

// Statements that cannot be read count as neither: they only fail themselves.
Status CheckNotMixed(const std::vector<Result<partiql::Statement>>& statements) {
  bool any_read = false;
  bool any_write = false;
  for (const auto& statement : statements) {
    if (statement) {
      (IsRead(*statement) ? any_read : any_write) = true;
    }
  }
  return any_read && any_write
             ? Status(
                   ValidationError("Statements in a batch must be either all reads or all writes"))
             : Status();
}

}  // namespace

Result<BatchExecuteStatementOutput> BatchExecuteStatement(Engine& engine, RequestContext& context,
                                                          const BatchExecuteStatementInput& input) {
  std::vector<Result<partiql::Statement>> statements;
  bool reads = false;
  for (const PartiqlStatement& statement : input.statements) {
    statements.push_back(ParseStatement(statement));
    if (statements.back()) {
      reads = IsRead(*statements.back());
      if (std::holds_alternative<partiql::Exists>(*statements.back())) {
        statements.back() = Error(ValidationError("EXISTS can only be used in ExecuteTransaction"));
      }
    }
  }
  PJ_RETURN_IF_ERROR(CheckNotMixed(statements));

  BatchExecuteStatementOutput output;
  TableMeters meters(reads ? CapacityMeter::Kind::kRead : CapacityMeter::Kind::kWrite);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    BatchStatementResponse& response = output.responses.emplace_back();
    if (!statements[i]) {
      response.error = statements[i].error();
      continue;
    }
    bool ran = false;
    const auto* select = std::get_if<partiql::Select>(&*statements[i]);
    auto item =
        select ? ReadOne(engine, context, *select,
                         ConsistencyOf(input.statements[i].consistent_read), meters, ran)
               : Write(engine, context, *statements[i],
                       input.statements[i].return_values_on_condition_check_failure, meters, ran);
    if (ran || item.error().code != ErrorCode::kValidation) {
      response.table_name = TableName(*statements[i]);
    }
    if (item) {
      response.item = *std::move(item);
    } else {
      response.error = Refused(context, *statements[i], item.error());
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
