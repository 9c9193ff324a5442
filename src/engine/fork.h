// A second database with the same contents, in the time of a few allocations.
#ifndef PREJOIN_ENGINE_FORK_H_
#define PREJOIN_ENGINE_FORK_H_

#include <memory>

#include "engine/engine.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Everything that `engine` holds now, as a store for Engine::OpenOn. Nothing that happens in one is seen in the other. Opening it is what a
// start after a crash does, except that item counts are exact at once.
//
// No request may be under way; background work, such as an index build, is waited for. Only for a database in memory.
Result<std::unique_ptr<storage::Store>> ForkStore(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_FORK_H_
