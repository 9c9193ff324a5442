#include "engine/partiql/statement_items.h"

#include <utility>

#include "engine/access.h"
#include "engine/partiql/statement_keys.h"
#include "engine/table/catalog.h"
#include "expr/evaluate.h"
#include "partiql/parse.h"

namespace prejoin::engine {

Result<partiql::Statement> ParseStatement(const PartiqlStatement& statement) {
  static const std::vector<AttributeValue> kNone;
  if (statement.refusal) {
    return *statement.refusal;
  }
  return partiql::Parse(statement.statement, statement.parameters ? *statement.parameters : kNone);
}

Result<ItemRead> PlanItemRead(Engine& engine, const RequestContext& context,
                              const partiql::Select& select, const std::string& operation,
                              Consistency consistency) {
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().FindToRead(select.table_name));
  if (select.index_name && operation == "ExecuteTransaction") {
    return ValidationError("Reads on indices are not supported within transactions.");
  }
  if (select.index_name) {
    PJ_RETURN_IF_ERROR(CheckSingleKeys(*table, *select.index_name));
  }
  if (select.index_name || select.where_has_calls) {
    return ValidationError("Select statements within " + operation +
                           " must specify the primary key in the where clause.");
  }
  const expr::Condition* where = select.where ? &*select.where : nullptr;
  PJ_ASSIGN_OR_RETURN(const Item key, NamedKey(*table, where, operation));
  // Nothing may be beside the key.
  if (ConjunctsOf(where).size() > table->keys.size()) {
    return ValidationError("Select statements within " + operation +
                           " must specify the primary key in the where clause.");
  }
  return PlanRead(context, std::move(table), key, consistency, NeededAttributes(select));
}

std::optional<StoredItem> SelectedItem(const partiql::Select& select, const FoundItem& found) {
  if (!found.stored || (select.where && !Evaluate(*select.where, found.record().item()))) {
    return std::nullopt;
  }
  return Columns(select, found.record().item());
}

Result<ItemWrite> PlanStatement(Engine& engine, partiql::Statement& statement,
                                ReturnValuesOnFailure on_failure) {
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(TableName(statement)));
  ItemWrite write;
  PJ_RETURN_IF_ERROR(PlanStatementWrite(std::move(table), statement, on_failure, write));
  return write;
}

Error Refused(RequestContext& context, const partiql::Statement& statement, const Error& error) {
  if (context.access == nullptr) {
    return error;
  }
  struct Actions {
    ItemAction operator()(const partiql::Select&) const { return ItemAction::kGet; }
    ItemAction operator()(const partiql::Insert&) const { return ItemAction::kPut; }
    ItemAction operator()(const partiql::Update&) const { return ItemAction::kUpdate; }
    ItemAction operator()(const partiql::Delete&) const { return ItemAction::kDelete; }
    ItemAction operator()(const partiql::Exists&) const { return ItemAction::kCheck; }
  };
  std::string resource = TableName(statement);
  if (const auto* select = std::get_if<partiql::Select>(&statement);
      select != nullptr && select->index_name) {
    resource.append("/index/").append(*select->index_name);
  }
  return context.access->Refusal(std::visit(Actions{}, statement), resource, error);
}

Result<ItemEffect> RunStatement(Engine& engine, RequestContext& context,
                                const partiql::Statement& statement, const ItemWrite& write) {
  auto effect = RunWrite(engine, context, write);
  if (!effect) {
    return StatementError(std::holds_alternative<partiql::Insert>(statement), effect.error());
  }
  return effect;
}

}  // namespace prejoin::engine
