// The change log of a table: what the DynamoDB Streams API reads. Named as in its reference.
#ifndef PREJOIN_STREAMS_H_
#define PREJOIN_STREAMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/table.h"

namespace prejoin {

struct ListStreamsInput {
  std::optional<std::string> table_name;
  std::optional<std::string> exclusive_start_stream_arn;
  std::optional<std::int32_t> limit;
};

struct StreamSummary {
  std::string arn;
  std::string table_name;
  std::string label;
};

struct ListStreamsOutput {
  std::vector<StreamSummary> streams;
  std::optional<std::string> last_evaluated_stream_arn;
};

struct DescribeStreamInput {
  std::string stream_arn;
  std::optional<std::string> exclusive_start_shard_id;
  std::optional<std::int32_t> limit;
  // ShardFilter of type CHILD_SHARDS: only the children of this shard.
  std::optional<std::string> children_of;
};

struct ShardDescription {
  std::string shard_id;
  std::optional<std::string> parent_shard_id;
  std::string starting_sequence_number;
  std::optional<std::string> ending_sequence_number;  // Only of a closed shard.
};

struct StreamDescription {
  StreamSummary summary;
  bool enabled = false;
  bool enabling = false;  // Only with Options::states.
  StreamViewType view_type = StreamViewType::kKeysOnly;
  std::int64_t created_ms = 0;
  KeySchema key_schema;
  std::vector<ShardDescription> shards;
  std::optional<std::string> last_evaluated_shard_id;
};

enum class ShardIteratorType { kTrimHorizon, kLatest, kAtSequenceNumber, kAfterSequenceNumber };

struct GetShardIteratorInput {
  std::string stream_arn;
  std::string shard_id;
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  std::optional<std::string> sequence_number;
};

struct GetRecordsInput {
  std::string shard_iterator;
  std::optional<std::int32_t> limit;
};

enum class StreamEvent { kInsert, kModify, kRemove };

struct StreamRecord {
  StreamEvent event = StreamEvent::kInsert;
  std::string event_id;
  std::string sequence_number;
  std::int64_t created_ms = 0;  // Whole seconds.
  std::size_t size_bytes = 0;
  StreamViewType view_type = StreamViewType::kKeysOnly;
  StoredItem keys;
  std::optional<StoredItem> old_image;
  std::optional<StoredItem> new_image;
  bool by_time_to_live = false;  // Removed by the service, not by a request.
};

struct GetRecordsOutput {
  std::vector<StreamRecord> records;
  std::optional<std::string> next_shard_iterator;  // None: the end of a closed shard.
  std::string region;
};

}  // namespace prejoin

#endif  // PREJOIN_STREAMS_H_
