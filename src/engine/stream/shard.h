// The shards of a stream.
#ifndef PREJOIN_ENGINE_STREAM_SHARD_H_
#define PREJOIN_ENGINE_STREAM_SHARD_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/stream/sequence_number.h"

namespace prejoin::engine {

struct Shard {
  SequenceNumber start = 0;  // Also its identity.
  std::optional<SequenceNumber> parent;
  std::optional<SequenceNumber> end;  // First number that is no longer in it; nullopt: open.
  std::uint32_t hash_first = 0;
  std::uint32_t hash_last = 0;  // Included.
};

// Shards that came into being together.
struct ShardGroup {
  std::vector<Shard> shards;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_SHARD_H_
