#include "json/enum_names.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/stream_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr EnumName<ShardIteratorType> kShardIteratorTypeNames[] = {
    {"AFTER_SEQUENCE_NUMBER", ShardIteratorType::kAfterSequenceNumber},
    {"LATEST", ShardIteratorType::kLatest},
    {"AT_SEQUENCE_NUMBER", ShardIteratorType::kAtSequenceNumber},
    {"TRIM_HORIZON", ShardIteratorType::kTrimHorizon},
};

constexpr Member<GetShardIteratorInput> kGetShardIteratorMembers[] = {
    ArnField<&GetShardIteratorInput::stream_arn, kStreamArnBytes>("StreamArn", Presence::kRequired),
    TextField<&GetShardIteratorInput::shard_id, kShardIdBytes>("ShardId", Presence::kRequired),
    EnumField<&GetShardIteratorInput::type, kShardIteratorTypeNames>("ShardIteratorType",
                                                                     Presence::kRequired),
    TextField<&GetShardIteratorInput::sequence_number, kSequenceNumberBytes>("SequenceNumber"),
};

}  // namespace

Result<GetShardIteratorInput> ParseGetShardIteratorInput(const RequestBody& request) {
  return ParseInput(request, kGetShardIteratorMembers);
}

void PrintGetShardIteratorOutput(const std::string& iterator, std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("ShardIterator", iterator);
}

}  // namespace prejoin::wire
