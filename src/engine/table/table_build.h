// Parts of a table made from a request.
#ifndef PREJOIN_ENGINE_TABLE_TABLE_BUILD_H_
#define PREJOIN_ENGINE_TABLE_TABLE_BUILD_H_

#include <cstdint>
#include <memory>
#include <string>

#include "engine/table/table.h"
#include "prejoin/options.h"
#include "prejoin/table.h"

namespace prejoin::engine {

std::string TableArn(const Options& options, const std::string& table_name);

enum class IndexKind { kLocal, kGlobal };
// Active and empty; its keys are resolved with its table (ResolveKeys).
Index NewIndex(const IndexSpecification& specification, IndexKind kind,
               const std::string& table_arn, std::uint32_t space);

// Active and empty.
VectorIndex NewVectorIndex(const VectorIndexSpecification& specification,
                           const std::string& table_arn, std::uint32_t space);

// Attribute definitions that no key uses any more go, as in DynamoDB.
void PruneDefinitions(Table& table);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_TABLE_BUILD_H_
