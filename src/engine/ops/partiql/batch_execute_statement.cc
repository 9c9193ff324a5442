#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/errors.h"
#include "engine/item/item_read.h"
#include "engine/item/keys.h"
#include "engine/ops/operations.h"
#include "engine/partiql/statement_items.h"
#include "engine/table/catalog.h"

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
  PJ_ASSIGN_OR_RETURN(const FoundItem found,
                      ReadItem(engine, context, read, meters.Of(read.table)));
  auto shown = SelectedItem(select, found);
  if (shown && !ChargeShown(found.size_bytes(), *shown, context.budget)) {
    return OverBudget();
  }
  return shown;
}

// The units of writes whose condition failed, by table.
using FailedUnits = std::map<std::string, double>;

// A failed write is charged for the larger of its own item and the stored one.
void ChargeFailure(Engine& engine, RequestContext& context, const ItemWrite& write,
                   FailedUnits& failed) {
  CapacityMeter unused(*write.table, CapacityMeter::Kind::kRead);
  const ItemRead read{.table = write.table,
                      .stored_key = write.stored_key,
                      .counted_key = nullptr,
                      .consistency = Consistency::kStrong,
                      .terms = {},
                      .covered = true,
                      .unmetered = true};
  const auto found = ReadItem(engine, context, read, unused);
  const std::size_t stored_bytes = found ? found->size_bytes() : 0;
  failed[write.table->name()] += WriteUnits(std::max(write.new_size_bytes, stored_bytes));
}

Error WithoutItem(Error error) {
  if (dynamic_cast<const ConditionFailureDetail*>(error.detail.get()) != nullptr) {
    error.detail = nullptr;
  }
  return error;
}

// DynamoDB accepts ReturnValuesOnConditionCheckFailure of a statement in a batch, and shows no item. Policies are asked about it like in any
// other write: a Deny on dynamodb:ReturnValues does not depend on which operation carries the statement.
Result<std::optional<StoredItem>> Write(Engine& engine, RequestContext& context,
                                        partiql::Statement& statement,
                                        ReturnValuesOnFailure on_failure, TableMeters& meters,
                                        FailedUnits& failed, bool& ran) {
  PJ_ASSIGN_OR_RETURN(const ItemWrite write, PlanStatement(engine, statement, on_failure));
  ran = true;
  auto effect = RunStatement(engine, context, statement, write);
  if (!effect) {
    if (effect.error().code == ErrorCode::kConditionalCheckFailed) {
      ChargeFailure(engine, context, write, failed);
    }
    return WithoutItem(effect.error());
  }
  AddUnits(*effect, 1, meters.Of(write.table));
  return Returned(ReturningOf(statement), *effect);
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
  return any_read && any_write ? Status(ValidationError("Read and write requests together in the "
                                                        "same batch is not supported."))
                               : Status();
}

// The key of the item that a statement is about; nothing if it names none, which is its own error.
std::optional<std::string> ItemOf(Engine& engine, const RequestContext& context,
                                  const partiql::Statement& statement) {
  if (const auto* select = std::get_if<partiql::Select>(&statement)) {
    const auto read =
        PlanItemRead(engine, context, *select, kBatchExecuteStatement, Consistency::kEventual);
    return read ? std::optional(read->stored_key) : std::nullopt;
  }
  const TablePtr table = engine.catalog().FindOrNull(TableName(statement));
  if (table == nullptr) {
    return std::nullopt;
  }
  const auto stored_key = [&](const Item& key) {
    return CheckKey(*table, key) ? std::optional(StoredKey(*table, key)) : std::nullopt;
  };
  if (const auto* insert = std::get_if<partiql::Insert>(&statement)) {
    Item key;
    for (const auto& attribute : table->keys) {
      if (const AttributeValue* value = insert->item.Find(attribute.name)) {
        key.Set(attribute.name, *value);
      }
    }
    return stored_key(key);
  }
  const expr::Condition* where = std::visit(
      [](const auto& node) -> const expr::Condition* {
        if constexpr (requires { node.where; }) {
          return node.where ? &*node.where : nullptr;
        } else {
          return nullptr;
        }
      },
      statement);
  const auto key = NamedKey(*table, where, "");
  return key ? stored_key(*key) : std::nullopt;
}

Status CheckDifferentItems(Engine& engine, const RequestContext& context,
                           const std::vector<Result<partiql::Statement>>& statements) {
  std::set<std::string> seen;
  for (const auto& statement : statements) {
    const auto item = statement ? ItemOf(engine, context, *statement) : std::nullopt;
    if (item && !seen.insert(*item).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

// Failed writes are in the total of their table alone, if another statement of it succeeded.
void AddFailed(const FailedUnits& failed, std::vector<ConsumedCapacity>& capacities) {
  for (ConsumedCapacity& capacity : capacities) {
    if (const auto units = failed.find(capacity.table_name); units != failed.end()) {
      capacity.total.total += units->second;
      capacity.total.write += units->second;
    }
  }
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
  PJ_RETURN_IF_ERROR(CheckDifferentItems(engine, context, statements));

  BatchExecuteStatementOutput output;
  TableMeters meters(reads ? CapacityMeter::Kind::kRead : CapacityMeter::Kind::kWrite);
  FailedUnits failed;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    BatchStatementResponse& response = output.responses.emplace_back();
    if (!statements[i]) {
      response.error = statements[i].error();
      continue;
    }
    bool ran = false;
    const auto* select = std::get_if<partiql::Select>(&*statements[i]);
    auto item = select ? ReadOne(engine, context, *select,
                                 ConsistencyOf(input.statements[i].consistent_read), meters, ran)
                       : Write(engine, context, *statements[i],
                               input.statements[i].return_values_on_condition_check_failure, meters,
                               failed, ran);
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
  AddFailed(failed, output.consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
