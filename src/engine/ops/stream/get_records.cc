#include <algorithm>

#include "base/fingerprint.h"
#include "base/limits.h"
#include "engine/access.h"
#include "engine/history/history_numbers.h"
#include "engine/ops/operations.h"
#include "engine/physics/physics.h"
#include "engine/stream/shard_iterator.h"
#include "engine/stream/stream_errors.h"
#include "engine/stream/stream_record.h"

namespace prejoin::engine {
namespace {

// The same whenever the record is read.
std::string EventId(std::string_view stream_arn, std::string_view sequence_text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string id;
  for (const char c : Fingerprint(std::string(stream_arn).append(sequence_text))) {
    const auto byte = static_cast<unsigned char>(c);
    id += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return id;
}

StreamRecord MakeRecord(const StreamInfo& info, std::string_view key, const ChangeRecord& change) {
  const SequenceNumber number = NumberOf(key);
  StreamRecord record;
  record.event = change.event;
  record.sequence_number = SequenceText(number);
  record.event_id = EventId(info.arn, record.sequence_number);
  record.created_ms = TimeOf(number) / 1000 * 1000;
  record.size_bytes = change.size_bytes;
  record.view_type = info.view_type;
  record.by_time_to_live = change.by_time_to_live;
  record.keys = StoredItem(std::string(change.keys));
  if (change.old_image) {
    record.old_image = StoredItem(std::string(*change.old_image));
  }
  if (change.new_image) {
    record.new_image = StoredItem(std::string(*change.new_image));
  }
  return record;
}

// Reads up to the limits and moves `iterator` behind what it read.
Status ReadPage(Engine& engine, const StreamInfo& info, SequenceNumber end, std::size_t count_max,
                ShardIterator& iterator, std::vector<StreamRecord>& records) {
  std::size_t bytes = 0;
  bool full = false;
  Status status;
  PJ_RETURN_IF_ERROR(
      engine.store().Visit(RecordRange(info.space, iterator.shard, iterator.next, end),
                           [&](std::string_view key, std::string_view value) {
                             auto change = DecodeChange(value);
                             if (!change) {
                               status = change.error();
                               return storage::Visit::kStop;
                             }
                             StreamRecord record = MakeRecord(info, key, *change);
                             if (records.size() == count_max ||
                                 (!records.empty() && bytes + record.size_bytes > kPageBytesMax)) {
                               full = true;
                               return storage::Visit::kStop;
                             }
                             bytes += record.size_bytes;
                             iterator.next = NumberOf(key) + 1;
                             records.push_back(std::move(record));
                             return storage::Visit::kContinue;
                           }));
  PJ_RETURN_IF_ERROR(status);
  if (!full) {
    iterator.next = std::max(iterator.next, end);
  }
  return {};
}

Result<ShardIterator> CheckIterator(const std::string& text, std::int64_t now_ms) {
  auto iterator = ParseIterator(text);
  if (!iterator) {
    return ValidationError("Invalid ShardIterator");
  }
  if (iterator->made_ms + kShardIteratorLifeMs <= now_ms) {
    return Error{ErrorCode::kExpiredIterator,
                 "The shard iterator has expired. Shard iterators are only valid for 15 minutes"};
  }
  return *std::move(iterator);
}

}  // namespace

Result<GetRecordsOutput> GetRecords(Engine& engine, RequestContext& context,
                                    const GetRecordsInput& input) {
  const std::int64_t now_ms = engine.clock().NowMs();
  PJ_ASSIGN_OR_RETURN(ShardIterator iterator, CheckIterator(input.shard_iterator, now_ms));
  if (context.access != nullptr) {
    PJ_RETURN_IF_ERROR(context.access->CheckResource("GetRecords", iterator.stream_arn));
  }
  PJ_ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, iterator.stream_arn));
  const StreamInfo& info = stream->info();
  if (engine.physics() != nullptr) {
    const std::string shard = info.arn + "/" + std::to_string(iterator.shard);
    PJ_RETURN_IF_ERROR(engine.physics()->streams().TakeRead(shard, now_ms));
  }
  // The horizon first: what the shard looks like later can only mean that more has been written.
  const SequenceNumber horizon = stream->Horizon(now_ms);
  const auto shard = stream->FindShard(iterator.shard, now_ms);
  if (!shard) {
    return TrimmedData();
  }
  if (iterator.from_horizon) {
    iterator.next = std::max(iterator.next, TrimPoint(now_ms));
  } else if (iterator.next < TrimPoint(now_ms)) {
    return TrimmedData();
  }
  const std::size_t count_max = static_cast<std::size_t>(input.limit.value_or(kStreamRecordsMax));
  const SequenceNumber end = std::min(horizon, shard->end.value_or(kSequenceNumberMax));
  GetRecordsOutput output;
  output.region = engine.options().region;
  PJ_RETURN_IF_ERROR(ReadPage(engine, info, end, count_max, iterator, output.records));
  if (!shard->end || iterator.next < *shard->end) {
    iterator.made_ms = now_ms;
    iterator.from_horizon = false;
    output.next_shard_iterator = PrintIterator(iterator);
    PJ_ASSIGN_OR_RETURN(const storage::Ticket covered,
                        engine.history_numbers().Cover(std::min(iterator.next, horizon)));
    context.Saw(covered);
  }
  // Both: that the shard has ended is a commit of its own.
  for (const std::string& key :
       {RecordKey(info.space, iterator.shard, 0), ShardKey(info.space, 0)}) {
    context.Saw(engine.store().NewestTicket(std::string_view(key).substr(0, storage::kRouteBytes)));
  }
  return output;
}

}  // namespace prejoin::engine
