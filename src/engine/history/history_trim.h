// Deletes old images that nobody can ask for any more.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_

#include <cstdint>
#include <map>

#include "engine/background.h"
#include "engine/engine.h"
#include "engine/stream/sequence_number.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Records are in order of items, so a pass reads a whole history. Remembers how far the last pass
// went, and makes the next one only when it is worth it. Single thread.
class HistoryTrim {
 public:
  Status Run(Engine& engine, const BackgroundWork& work);

 private:
  std::map<std::uint32_t, SequenceNumber> trimmed_;  // By the history's space.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_TRIM_H_
