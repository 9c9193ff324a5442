// Deletes old images that nobody can ask for any more.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_

#include "engine/engine.h"

namespace prejoin::engine {

// In the background, from now on.
void StartHistoryTrim(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_
