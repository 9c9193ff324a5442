#include <utility>
#include <vector>

#include "engine/item/key_accesses.h"
#include "engine/item/record.h"
#include "engine/ops/partiql/statements.h"
#include "engine/partiql/statement_items.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

constexpr char kBatchExecuteStatement[] = "BatchExecuteStatement";

// A statement that is refused before it runs answers without the name of its table: `ran` says
// whether it came so far.
Result<std::optional<StoredItem>> ReadOne(Engine& engine, RequestContext& context,
                                          const partiql::Select& select, bool consistent,
                                          TableMeters& meters, bool& ran) {
  PJ_ASSIGN_OR_RETURN(const ItemRead read, PlanItemRead(engine, select, kBatchExecuteStatement));
  ran = true;
  PJ_ASSIGN_OR_RETURN(const auto stored, engine.store().Get(read.stored_key));
  context.Saw(engine.store().NewestTicket(
      std::string_view(read.stored_key).substr(0, storage::kRouteBytes)));
  std::size_t size_bytes = 0;
  std::optional<StoredItem> item;
  if (stored) {
    const Record record = DecodeRecord(*stored);
    size_bytes = record.size_bytes;
    item = SelectedItem(select, record.item());
    if (read.table->accesses != nullptr) {
      read.table->accesses->Count(record.item());
    }
  }
  meters.Of(read.table)
      .AddTable(ReadUnits(size_bytes, consistent ? Consistency::kStrong : Consistency::kEventual));
  return item;
}

Result<std::optional<StoredItem>> Write(Engine& engine, RequestContext& context,
                                        partiql::Statement& statement,
                                        ReturnValuesOnFailure on_failure, TableMeters& meters,
                                        bool& ran) {
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(TableName(statement)));
  ItemWrite write;
  PJ_RETURN_IF_ERROR(PlanStatementWrite(std::move(table), statement, on_failure, write));
  ran = true;
  std::vector<ItemEffect> effects;
  const Status status =
      RunWrites(engine, context, {&write, 1}, FailureReport::kFirst, nullptr, effects);
  if (!status) {
    return StatementError(std::holds_alternative<partiql::Insert>(statement), status.error());
  }
  AddUnits(effects[0], 1, meters.Of(write.table));
  return Returned(ReturningOf(statement), effects[0]);
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
                         input.statements[i].consistent_read.value_or(false), meters, ran)
               : Write(engine, context, *statements[i],
                       input.statements[i].return_values_on_condition_check_failure, meters, ran);
    if (ran || item.error().code != ErrorCode::kValidation) {
      response.table_name = TableName(*statements[i]);
    }
    if (item) {
      response.item = *std::move(item);
    } else {
      response.error = item.error();
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
