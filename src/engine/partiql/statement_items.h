// Statements about one item each: what the PartiQL operations share.
#ifndef PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_
#define PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_

#include <optional>
#include <string>

#include "engine/engine.h"
#include "engine/item/item_read.h"
#include "engine/partiql/statement_plan.h"
#include "prejoin/statements.h"

namespace prejoin::engine {

Result<partiql::Statement> ParseStatement(const PartiqlStatement& statement);

// A SELECT of one item by its primary key.
Result<ItemRead> PlanItemRead(Engine& engine, const RequestContext& context,
                              const partiql::Select& select, const std::string& operation,
                              Consistency consistency);
// The answer of the SELECT: nothing if there is no item or it fails the conditions.
std::optional<StoredItem> SelectedItem(const partiql::Select& select, const FoundItem& found);

// Plans an INSERT, UPDATE or DELETE. Takes the statement's expressions.
Result<ItemWrite> PlanStatement(Engine& engine, partiql::Statement& statement,
                                ReturnValuesOnFailure on_failure);
// The error of a statement that failed, as a caller may see it who perhaps may not use the table.
Error Refused(RequestContext& context, const partiql::Statement& statement, const Error& error);

// Runs what PlanStatement made of the statement.
Result<ItemEffect> RunStatement(Engine& engine, RequestContext& context,
                                const partiql::Statement& statement, const ItemWrite& write);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_
