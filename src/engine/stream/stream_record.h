// A stream in the store: its records and its shards (docs/formats/stream.md).
#ifndef PREJOIN_ENGINE_STREAM_STREAM_RECORD_H_
#define PREJOIN_ENGINE_STREAM_STREAM_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/stream/shard.h"
#include "prejoin/result.h"
#include "prejoin/streams.h"
#include "storage/store.h"

namespace prejoin::engine {

// A change of an item. The views borrow.
struct ChangeRecord {
  StreamEvent event = StreamEvent::kInsert;
  bool by_time_to_live = false;
  std::size_t size_bytes = 0;  // The size of keys and images, by AWS's rules.
  std::string_view keys;       // Item bodies, as are the images.
  std::optional<std::string_view> old_image;
  std::optional<std::string_view> new_image;
};

std::string RecordKey(std::uint32_t space, SequenceNumber shard, SequenceNumber number);
SequenceNumber NumberOf(std::string_view record_key);
// Records of a shard with first <= number < end.
storage::Range RecordRange(std::uint32_t space, SequenceNumber shard, SequenceNumber first,
                           SequenceNumber end);
std::string EncodeChange(const ChangeRecord& change);
// kCorruption for bytes that EncodeChange does not make.
Result<ChangeRecord> DecodeChange(std::string_view stored);

void StageShards(std::uint32_t space, const ShardGroup& group, storage::Transaction& transaction);
std::string ShardKey(std::uint32_t space, SequenceNumber start);
// All shards of the stream, in order of their first numbers.
storage::Range ShardRange(std::uint32_t space);
// Without its end. kCorruption for bytes that StageShards does not make.
Result<Shard> DecodeShard(std::string_view key, std::string_view value);

// As the API shows them: 21 digits; shardId-00000001234567890123-abcdef12.
std::string SequenceText(SequenceNumber number);
std::optional<SequenceNumber> ParseSequence(std::string_view text);
std::string ShardId(SequenceNumber start);
std::optional<SequenceNumber> ParseShardId(std::string_view text);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_RECORD_H_
