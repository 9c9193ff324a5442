// The conditions on a vector index, with DynamoDB's words for those that fail.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_CHECKS_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_CHECKS_H_

#include <vector>

#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

inline constexpr std::size_t kVectorIndexesMax = 5;

// All vector indexes of a new table.
Status CheckVectorIndexes(const CreateTableInput& input);

// One to be added to an existing table. `request_definitions` are those of the request alone.
Status CheckNewVectorIndex(const VectorIndexSpecification& index, const Table& table,
                           const std::vector<AttributeDefinition>& request_definitions);

// "Vector indexes are only supported for PAY_PER_REQUEST tables"
Status CheckVectorBilling(BillingMode mode);

// Refuses an item whose vectors or HASH attributes do not fit the table's vector indexes.
Status CheckVectorAttributes(const Table& table, const Item& item);
// The same for an item that an update made of `old_item`. It keeps values from before an index existed: it is
// not in the index, but can be updated elsewhere.
Status CheckUpdatedVectorAttributes(const Table& table, const Item& item, const Item& old_item,
                                    const expr::Update& update);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_CHECKS_H_
