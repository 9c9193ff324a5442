#include "engine/partiql/statement_items.h"

#include <utility>

#include "engine/item/keys.h"
#include "engine/table/catalog.h"
#include "expr/evaluate.h"
#include "partiql/parse.h"

namespace prejoin::engine {

CapacityMeter& TableMeters::Of(const TablePtr& table) {
  const auto [entry, is_new] = meters_.try_emplace(table->name(), *table, kind_);
  if (is_new) {
    tables_.push_back(table);
  }
  return entry->second;
}

std::vector<ConsumedCapacity> TableMeters::Report(ReturnConsumedCapacity wanted) const {
  std::vector<ConsumedCapacity> all;
  for (const auto& [table_name, meter] : meters_) {
    if (auto consumed = meter.Report(wanted)) {
      all.push_back(*std::move(consumed));
    }
  }
  return all;
}

Result<partiql::Statement> ParseStatement(const PartiqlStatement& statement) {
  static const std::vector<AttributeValue> kNone;
  if (statement.refusal) {
    return *statement.refusal;
  }
  return partiql::Parse(statement.statement, statement.parameters ? *statement.parameters : kNone);
}

Result<ItemRead> PlanItemRead(Engine& engine, const partiql::Select& select,
                              const std::string& operation) {
  ItemRead read;
  PJ_ASSIGN_OR_RETURN(read.table, engine.catalog().Find(select.table_name));
  if (select.index_name && operation == "ExecuteTransaction") {
    return ValidationError("Reads on indices are not supported within transactions.");
  }
  if (select.index_name || select.where_has_calls) {
    return ValidationError("Select statements within " + operation +
                           " must specify the primary key in the where clause.");
  }
  PJ_ASSIGN_OR_RETURN(const Item key,
                      NamedKey(*read.table, select.where ? &*select.where : nullptr, operation));
  PJ_RETURN_IF_ERROR(CheckKey(*read.table, key));
  read.stored_key = StoredKey(*read.table, key);
  return read;
}

std::optional<StoredItem> SelectedItem(const partiql::Select& select, ItemView item) {
  if (select.where && !Evaluate(*select.where, item)) {
    return std::nullopt;
  }
  return Columns(select, item);
}

}  // namespace prejoin::engine
