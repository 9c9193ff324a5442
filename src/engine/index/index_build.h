// Building a new global index from the items that are already there, while they are read and
// written.
//
// Writers that work with different versions of the table run side by side, so the index comes in
// three steps, each begun when the last writer of the step before is done. First writers take
// entries out of the index but put none in: otherwise an entry put in by a writer who knows the
// index would stay for ever when one who does not changes the item. Then they keep the index fully.
// Then one pass over the items puts in what is missing, and the index can be read.
#ifndef PREJOIN_ENGINE_INDEX_INDEX_BUILD_H_
#define PREJOIN_ENGINE_INDEX_INDEX_BUILD_H_

#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Fills the index from the table's items in the background, then makes it ACTIVE. `old_versions`:
// those whose writers do not know the index; it begins when they have finished. Ends early when the
// table or index is gone.
void BuildIndex(Engine& engine, const std::string& table_name, const Index& index,
                Retirements old_versions);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_INDEX_BUILD_H_
