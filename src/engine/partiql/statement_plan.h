// The meaning of a PartiQL statement for a table: which keys it names, and so whether it is a read or
// write of one item, a query or a scan.
#ifndef PREJOIN_ENGINE_PARTIQL_STATEMENT_PLAN_H_
#define PREJOIN_ENGINE_PARTIQL_STATEMENT_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/item/item_write.h"
#include "engine/item/page_read.h"
#include "engine/table/table.h"
#include "partiql/statement.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// A SELECT as pages of one or more ranges of keys. Ranges are in the order of the answer.
struct SelectPlan {
  PageRead read;  // All but the range.
  std::vector<storage::Range> ranges;
};

// With an equality or IN on every HASH key of the table or index named, a query of each partition,
// narrowed by what WHERE says about the sort key; otherwise a scan. Takes the statement's
// condition.
Result<SelectPlan> PlanSelect(TablePtr table, partiql::Select& select,
                              std::optional<bool> consistent_read);

// PartiQL does not read an index whose HASH or RANGE key has several attributes. One that is not
// there is fine here.
Status CheckSingleKeys(const Table& table, const std::string& index_name);

// Which attributes the columns need, each as a whole: Columns() takes them apart. Nullopt: all.
std::optional<expr::Projection> NeededAttributes(const partiql::Select& select);

// The primary key that a WHERE clause names with equalities; an error if it does not name all of
// it. `operation` is for the message of a SELECT in a batch or transaction; empty for others.
Result<Item> NamedKey(const Table& table, const expr::Condition* where,
                      const std::string& operation);

// Checks that the WHERE clause of an UPDATE, DELETE or EXISTS says which item it is about.
// PlanStatementWrite checks it too.
Status CheckNamesItem(const Table& table, const partiql::Statement& statement);

// INSERT, UPDATE, DELETE or EXISTS. Takes the statement's expressions.
Status PlanStatementWrite(TablePtr table, partiql::Statement& statement,
                          ReturnValuesOnFailure on_failure, ItemWrite& write);

// The answer of a write: the item, or the part of it, that its RETURNING clause asks for.
std::optional<StoredItem> Returned(partiql::Returning returning, ItemEffect& effect);
partiql::Returning ReturningOf(const partiql::Statement& statement);

// Renames the error of a failed INSERT, whose condition is that there is no such item.
Error StatementError(bool is_insert, const Error& error);

// The columns of the answer from an item, or its attributes as they are for `*`.
StoredItem Columns(const partiql::Select& select, ItemView item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PARTIQL_STATEMENT_PLAN_H_
