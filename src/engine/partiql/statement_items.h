// Several statements, each about one item: what BatchExecuteStatement and ExecuteTransaction share.
#ifndef PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_
#define PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/item/capacity.h"
#include "engine/partiql/statement_plan.h"
#include "prejoin/statements.h"

namespace prejoin::engine {

// Units for each table, in order of name.
class TableMeters {
 public:
  explicit TableMeters(CapacityMeter::Kind kind) : kind_(kind) {}
  CapacityMeter& Of(const TablePtr& table);
  std::vector<ConsumedCapacity> Report(ReturnConsumedCapacity wanted) const;

 private:
  CapacityMeter::Kind kind_;
  std::vector<TablePtr> tables_;  // Keeps alive what the meters borrow.
  std::map<std::string, CapacityMeter> meters_;
};

Result<partiql::Statement> ParseStatement(const PartiqlStatement& statement);

// A SELECT of one item by its primary key.
struct ItemRead {
  TablePtr table;
  std::string stored_key;
};
Result<ItemRead> PlanItemRead(Engine& engine, const partiql::Select& select,
                              const std::string& operation);
// The answer of a SELECT: nothing if the item fails its conditions.
std::optional<StoredItem> SelectedItem(const partiql::Select& select, ItemView item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PARTIQL_STATEMENT_ITEMS_H_
