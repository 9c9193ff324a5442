// Removes what streams no longer keep.
#ifndef PREJOIN_ENGINE_STREAM_STREAM_TRIM_H_
#define PREJOIN_ENGINE_STREAM_STREAM_TRIM_H_

#include "engine/engine.h"

namespace prejoin::engine {

// From now on deletes records older than a day, shards without any, and streams that were disabled a
// day ago. Readers do not depend on it: for them all this is gone as soon as its time is over.
void StartStreamTrim(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_TRIM_H_
