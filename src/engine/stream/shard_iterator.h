// A place in a shard, as text that travels through the client.
#ifndef PREJOIN_ENGINE_STREAM_SHARD_ITERATOR_H_
#define PREJOIN_ENGINE_STREAM_SHARD_ITERATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/stream/stream.h"

namespace prejoin::engine {

struct ShardIterator {
  std::string stream_arn;
  SequenceNumber shard = 0;
  SequenceNumber next = 0;  // The first number that was not read.
  std::int64_t made_ms = 0;
  // TRIM_HORIZON: continues at the oldest record, whatever was trimmed meanwhile.
  bool from_horizon = false;
};

// Formatted like DynamoDB's: the stream's ARN, "|1|", and an opaque text.
std::string PrintIterator(const ShardIterator& iterator);
// Nullopt for anything that PrintIterator did not make.
std::optional<ShardIterator> ParseIterator(std::string_view text);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_SHARD_ITERATOR_H_
