#include "json/enum_names.h"
#include "json/writer.h"
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
    {"StreamArn",
     [](InputReader& reader, json::Value value, const Path& path, GetShardIteratorInput& out) {
       return ReadBounded(reader, value, path, kStreamArnBytes, out.stream_arn);
     },
     Presence::kRequired},
    {"ShardId",
     [](InputReader& reader, json::Value value, const Path& path, GetShardIteratorInput& out) {
       return ReadBounded(reader, value, path, kShardIdBytes, out.shard_id);
     },
     Presence::kRequired},
    {"ShardIteratorType",
     [](InputReader& reader, json::Value value, const Path& path, GetShardIteratorInput& out) {
       return reader.ReadEnum(value, path, kShardIteratorTypeNames, out.type);
     },
     Presence::kRequired},
    {"SequenceNumber",
     [](InputReader& reader, json::Value value, const Path& path, GetShardIteratorInput& out) {
       return ReadBounded(reader, value, path, kSequenceNumberBytes, out.sequence_number);
     }},
};

}  // namespace

Result<GetShardIteratorInput> ParseGetShardIteratorInput(json::Value root) {
  return ParseInput(root, kGetShardIteratorMembers);
}

void PrintGetShardIteratorOutput(const std::string& iterator, std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("ShardIterator", iterator);
}

}  // namespace prejoin::wire
