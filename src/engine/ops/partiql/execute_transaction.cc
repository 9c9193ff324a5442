#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/cancellation.h"
#include "engine/item/idempotency.h"
#include "engine/item/keys.h"
#include "engine/ops/operations.h"
#include "engine/partiql/statement_items.h"
#include "engine/table/catalog.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

constexpr char kExecuteTransaction[] = "ExecuteTransaction";

using Statements = std::vector<partiql::Statement>;

// Says which statement an error is about. Only what is wrong with the request is worded so.
Error InStatement(std::size_t index, const Error& error) {
  if (error.code != ErrorCode::kValidation) {
    return error;
  }
  return Error{
      error.code,
      "Validation failed in TransactStatements[" + std::to_string(index) + "]: " + error.message,
      error.detail};
}

Result<Statements> ParseAll(const ExecuteTransactionInput& input) {
  // Invalid values are faults of the request, whatever the statements are.
  for (const PartiqlStatement& text : input.statements) {
    if (text.refusal) {
      return *text.refusal;
    }
  }
  Statements statements;
  for (const PartiqlStatement& text : input.statements) {
    auto parsed = ParseStatement(text);
    if (!parsed) {
      return InStatement(statements.size(), parsed.error());
    }
    partiql::Statement statement = *std::move(parsed);
    if (IsRead(statement) != IsRead(statements.empty() ? statement : statements.front())) {
      return ValidationError(
          "ExecuteTransaction API does not support both read and write operations in the same "
          "request.");
    }
    if (ReturningOf(statement) != partiql::Returning::kNone) {
      return InStatement(
          statements.size(),
          ValidationError("RETURNING clause is not supported in ExecuteTransaction."));
    }
    statements.push_back(std::move(statement));
  }
  return statements;
}

Result<ExecuteTransactionOutput> ReadAll(Engine& engine, RequestContext& context,
                                         const ExecuteTransactionInput& input,
                                         const Statements& statements) {
  std::vector<ItemRead> reads;
  std::set<std::string> seen;
  for (const partiql::Statement& statement : statements) {
    auto read = PlanItemRead(engine, context, std::get<partiql::Select>(statement),
                             kExecuteTransaction, Consistency::kTransactional);
    if (!read) {
      return InStatement(reads.size(), read.error());
    }
    if (!seen.insert(read->stored_key).second) {
      return SeveralOnOneItem();
    }
    reads.push_back(*std::move(read));
  }
  TableMeters meters(CapacityMeter::Kind::kRead);
  PJ_ASSIGN_OR_RETURN(const std::vector<FoundItem> found,
                      ReadItemsTogether(engine, context, reads, meters));
  ExecuteTransactionOutput output;
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto& item =
        output.items.emplace_back(SelectedItem(std::get<partiql::Select>(statements[i]), found[i]));
    // As in TransactGetItems, an answer without attributes counts as none.
    if (item && ItemView(item->body()).empty()) {
      item.reset();
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

// The token is bound to the statements and their parameters: they take the places of an update
// expression and its values.
TokenGuard MakeGuard(const ExecuteTransactionInput& input, const Clock& clock) {
  TransactWriteItemsInput stand_in{.client_request_token = input.client_request_token};
  for (const PartiqlStatement& statement : input.statements) {
    TransactWrite& write = stand_in.items.emplace_back();
    write.update_expression = statement.statement;
    write.return_values_on_condition_check_failure =
        statement.return_values_on_condition_check_failure;
    auto& values = write.expression_attribute_values.emplace();
    for (std::size_t i = 0; statement.parameters && i < statement.parameters->size(); ++i) {
      values.emplace(std::to_string(i), (*statement.parameters)[i]);
    }
  }
  return TokenGuard(stand_in, clock);
}

const expr::Condition* WhereOf(const partiql::Statement& statement) {
  const auto* update = std::get_if<partiql::Update>(&statement);
  const auto* remove = std::get_if<partiql::Delete>(&statement);
  const auto& where = update   ? update->where
                      : remove ? remove->where
                               : std::get<partiql::Exists>(statement).select.where;
  return where ? &*where : nullptr;
}

// Empty keys and items that are too large show in the statement alone: as in TransactWriteItems, they
// are an error of the request, and no reason to cancel.
Status CheckAlone(const Table& table, const partiql::Statement& statement, ItemWrite& write) {
  PJ_RETURN_IF_ERROR(CheckNamesItem(table, statement));
  if (const auto* insert = std::get_if<partiql::Insert>(&statement)) {
    PJ_RETURN_IF_ERROR(CheckNoEmptyKeys(table, insert->item, nullptr));
    return CheckItemSize(insert->item, write);
  }
  PJ_ASSIGN_OR_RETURN(const Item key, NamedKey(table, WhereOf(statement), ""));
  const auto* update = std::get_if<partiql::Update>(&statement);
  return CheckNoEmptyKeys(table, key, update != nullptr ? &update->update : nullptr);
}

Result<std::vector<ItemWrite>> PlanAll(Engine& engine, const ExecuteTransactionInput& input,
                                       Statements& statements) {
  std::vector<ItemWrite> writes(statements.size());
  std::set<std::string_view> seen;
  std::size_t total_bytes = 0;
  Cancellation cancellation(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(TableName(statements[i])));
    if (const Status alone = CheckAlone(*table, statements[i], writes[i]); !alone) {
      return InStatement(i, alone.error());
    }
    const Status plan =
        PlanStatementWrite(std::move(table), statements[i],
                           input.statements[i].return_values_on_condition_check_failure, writes[i]);
    if (!plan) {
      cancellation.Add(i, plan.error());
      continue;
    }
    if (!seen.insert(writes[i].stored_key).second) {
      return SeveralOnOneItem();
    }
    total_bytes += writes[i].new_size_bytes;
  }
  if (total_bytes > kTransactionBytesMax) {
    return ValidationError("Collection size exceeds transaction limit of 4 MB");
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());
  return writes;
}

// Failed INSERTs are called DuplicateItem among the reasons.
Error WithDuplicates(const Error& error, const Statements& statements) {
  const auto* detail = dynamic_cast<const CancellationDetail*>(error.detail.get());
  if (detail == nullptr) {
    return error;
  }
  auto renamed = std::make_shared<CancellationDetail>(*detail);
  std::string codes;
  for (std::size_t i = 0; i < renamed->reasons.size(); ++i) {
    CancellationReason& reason = renamed->reasons[i];
    if (reason.code == "ConditionalCheckFailed" &&
        std::holds_alternative<partiql::Insert>(statements[i])) {
      reason = {.code = "DuplicateItem", .message = "Duplicate primary key exists in table"};
    }
    codes += (codes.empty() ? "" : ", ") + reason.code;
  }
  return Error{error.code,
               "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
                   codes + "]",
               std::move(renamed)};
}

Result<ExecuteTransactionOutput> Write(Engine& engine, RequestContext& context,
                                       const ExecuteTransactionInput& input,
                                       Statements& statements) {
  PJ_ASSIGN_OR_RETURN(const std::vector<ItemWrite> writes, PlanAll(engine, input, statements));
  std::optional<TokenGuard> token;
  if (input.client_request_token) {
    token.emplace(MakeGuard(input, engine.clock()));
  }
  ExecuteTransactionOutput output;
  const auto outcome = RunWrites(
      engine, context,
      {.writes = writes, .report = FailureReport::kReasons, .guard = token ? &*token : nullptr});
  if (!outcome) {
    return WithDuplicates(outcome.error(), statements);
  }
  TableMeters meters(outcome->done_before ? CapacityMeter::Kind::kRead
                                          : CapacityMeter::Kind::kWrite);
  if (outcome->done_before) {
    MeterReplay(writes, *outcome, meters);
  }
  for (std::size_t i = 0; !outcome->done_before && i < writes.size(); ++i) {
    AddUnits(outcome->effects[i], 2, meters.Of(writes[i].table));
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace

Result<ExecuteTransactionOutput> ExecuteTransaction(Engine& engine, RequestContext& context,
                                                    const ExecuteTransactionInput& input) {
  PJ_ASSIGN_OR_RETURN(Statements statements, ParseAll(input));
  auto output = IsRead(statements.front()) ? ReadAll(engine, context, input, statements)
                                           : Write(engine, context, input, statements);
  if (output) {
    return output;
  }
  Error error = output.error();
  for (const partiql::Statement& statement : statements) {
    error = Refused(context, statement, error);
  }
  return error;
}

}  // namespace prejoin::engine
