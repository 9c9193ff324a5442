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

class BackgroundWork;

// Begins the second step. The older versions to wait for before FillIndex; none if the index is
// gone.
Result<Retirements> AcceptEntries(Engine& engine, const std::string& table_name,
                                  const std::string& index_name);

// The third step. Ends early when `work` is stopping or the table or index is gone.
Status FillIndex(Engine& engine, const BackgroundWork& work, const std::string& table_name,
                 const std::string& index_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_INDEX_BUILD_H_
