// Filling a new global index from the items that are already there, while they are read and
// written.
#ifndef PREJOIN_ENGINE_INDEX_BUILD_H_
#define PREJOIN_ENGINE_INDEX_BUILD_H_

#include <string>

#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::engine {

class BackgroundWork;

// Every writer already keeps the index (the caller has waited for those that did not), so it is
// enough to pass once over the items and write the entry of each as it is now. Ends early when
// `work` is stopping or the table or index is gone.
Status FillIndex(Engine& engine, const BackgroundWork& work, const std::string& table_name,
                 const std::string& index_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_BUILD_H_
