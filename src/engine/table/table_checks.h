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

// An object without members counts as absent.
bool IsEmpty(const OnDemandThroughput& throughput);
// Takes a limit off, in an update.
inline constexpr std::int64_t kNoOnDemandLimit = -1;
// `mode` is the one that the table will have. AWS words the two operations differently.
enum class OnDemandUse { kCreate, kUpdate };
Status CheckOnDemand(BillingMode mode, const std::optional<OnDemandThroughput>& throughput,
                     OnDemandUse use);

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
