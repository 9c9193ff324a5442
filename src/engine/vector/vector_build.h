// Building a new vector index from the items that are already there, in the steps of index_build.h.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_BUILD_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_BUILD_H_

#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

// In the background. The table is UPDATING until writers keep the index; from then on the index is
// backfilling until it is ACTIVE. `old_versions`: those whose writers do not know the index.
void BuildVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index,
                      Retirements old_versions);

// Reads an index of a database that was opened into memory, in the background, so that the first
// search need not wait for it.
void LoadVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_BUILD_H_
