#include <algorithm>

#include "engine/history/history_numbers.h"
#include "engine/ops/operations.h"
#include "engine/stream/shard_iterator.h"
#include "engine/stream/stream_errors.h"
#include "engine/stream/stream_record.h"

namespace prejoin::engine {
namespace {

bool NeedsNumber(ShardIteratorType type) {
  return type == ShardIteratorType::kAtSequenceNumber ||
         type == ShardIteratorType::kAfterSequenceNumber;
}

Status CheckNumberGiven(const GetShardIteratorInput& input) {
  if (NeedsNumber(input.type) && !input.sequence_number) {
    return InvalidParameter(
        "SequenceNumber is required for the ShardIteratorTypes AT_SEQUENCE_NUMBER and "
        "AFTER_SEQUENCE_NUMBER");
  }
  if (!NeedsNumber(input.type) && input.sequence_number) {
    return InvalidParameter(
        "SequenceNumber must not be given for the ShardIteratorTypes TRIM_HORIZON and LATEST");
  }
  return {};
}

Result<SequenceNumber> GivenNumber(const GetShardIteratorInput& input, const Shard& shard,
                                   std::int64_t now_ms) {
  const auto number = ParseSequence(*input.sequence_number);
  if (!number || *number < shard.start || (shard.end && *number >= *shard.end)) {
    return ValidationError("Invalid SequenceNumber");
  }
  if (*number < TrimPoint(now_ms)) {
    return TrimmedData();
  }
  return input.type == ShardIteratorType::kAtSequenceNumber ? *number : *number + 1;
}

}  // namespace

Result<std::string> GetShardIterator(Engine& engine, RequestContext& context,
                                     const GetShardIteratorInput& input) {
  PJ_RETURN_IF_ERROR(CheckNumberGiven(input));
  PJ_ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, input.stream_arn));
  const std::int64_t now_ms = engine.clock().NowMs();
  const auto start = ParseShardId(input.shard_id);
  const auto shard = start ? stream->FindShard(*start, now_ms) : std::nullopt;
  if (!shard) {
    return ResourceNotFound("Requested resource not found: Shard: " + input.shard_id +
                            " in Stream: " + input.stream_arn + " not found");
  }
  ShardIterator iterator{.stream_arn = input.stream_arn,
                         .shard = shard->start,
                         .next = shard->start,
                         .made_ms = now_ms,
                         .from_horizon = input.type == ShardIteratorType::kTrimHorizon};
  if (input.type == ShardIteratorType::kLatest) {
    // Not after the last number taken: its write may become visible only after this answer.
    iterator.next =
        std::clamp(stream->Horizon(now_ms), shard->start, shard->end.value_or(kSequenceNumberMax));
    PJ_ASSIGN_OR_RETURN(const storage::Ticket covered,
                        engine.history_numbers().Cover(iterator.next));
    context.Saw(covered);
  } else if (NeedsNumber(input.type)) {
    PJ_ASSIGN_OR_RETURN(iterator.next, GivenNumber(input, *shard, now_ms));
  }
  return PrintIterator(iterator);
}

}  // namespace prejoin::engine
