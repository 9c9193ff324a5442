// The rules for a table definition, with DynamoDB's words for each breach.
#ifndef PREJOIN_ENGINE_TABLE_TABLE_CHECKS_H_
#define PREJOIN_ENGINE_TABLE_TABLE_CHECKS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/table/table.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

Status CheckCreateTable(const CreateTableInput& input);

// A global index to be added to an existing table. `definitions` are the table's attributes with
// those of the request.
Status CheckNewGlobalIndex(const IndexSpecification& index, const Table& table,
                           const std::vector<AttributeDefinition>& definitions);

// Billing mode and throughput must fit each other. `what` is "table" or "index: NAME".
Status CheckThroughput(BillingMode mode, const std::optional<ProvisionedThroughput>& throughput,
                       const std::string& what);

// The mistakes that UpdateTable refuses before it looks for the table.
Status CheckThroughputBounds(const std::optional<ProvisionedThroughput>& throughput);
Status CheckIndexUpdates(const std::vector<GlobalIndexUpdate>& updates);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TABLE_CHECKS_H_
