#include "json/enum_names.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/stream_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

enum class ShardFilterType { kChildShards };
constexpr EnumName<ShardFilterType> kShardFilterTypeNames[] = {
    {"CHILD_SHARDS", ShardFilterType::kChildShards},
};

struct ShardFilter {
  std::optional<ShardFilterType> type;
  std::optional<std::string> shard_id;
};

constexpr Member<ShardFilter> kShardFilterMembers[] = {
    EnumField<&ShardFilter::type, kShardFilterTypeNames>("Type"),
    TextField<&ShardFilter::shard_id, kShardIdBytes>("ShardId"),
};

Status ReadShardFilter(InputReader& reader, json::Value value, const Path& path,
                       DescribeStreamInput& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "ShardFilter"}));
  ShardFilter filter;
  PJ_RETURN_IF_ERROR(reader.ReadMembers(value, &path, kShardFilterMembers, filter));
  if (!filter.type || !filter.shard_id) {
    reader.Refuse(Order::kRequest,
                  "One or more parameter values were invalid: ShardFilter needs a Type and a "
                  "ShardId");
  }
  out.children_of = filter.shard_id;
  return {};
}

constexpr Member<DescribeStreamInput> kDescribeStreamMembers[] = {
    ArnField<&DescribeStreamInput::stream_arn, kStreamArnBytes>("StreamArn", Presence::kRequired),
    RangeField<&DescribeStreamInput::limit, 1, kStreamsPageMax>("Limit"),
    TextField<&DescribeStreamInput::exclusive_start_shard_id, kShardIdBytes>(
        "ExclusiveStartShardId"),
    {"ShardFilter", ReadShardFilter},
};

void AppendShard(const ShardDescription& shard, std::string& out) {
  json::ObjectWriter entry(out);
  entry.String("ShardId", shard.shard_id);
  {
    json::ObjectWriter range(entry.Name("SequenceNumberRange"));
    range.String("StartingSequenceNumber", shard.starting_sequence_number);
    if (shard.ending_sequence_number.has_value()) {
      range.String("EndingSequenceNumber", *shard.ending_sequence_number);
    }
  }
  if (shard.parent_shard_id.has_value()) {
    entry.String("ParentShardId", *shard.parent_shard_id);
  }
}

}  // namespace

Result<DescribeStreamInput> ParseDescribeStreamInput(const RequestBody& request) {
  return ParseInput(request, kDescribeStreamMembers);
}

void PrintDescribeStreamOutput(const StreamDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter stream(answer.Name("StreamDescription"));
  stream.String("StreamArn", output.summary.arn);
  stream.String("StreamLabel", output.summary.label);
  const std::string_view enabled = output.enabling ? "ENABLING" : "ENABLED";
  stream.String("StreamStatus", output.enabled ? enabled : "DISABLED");
  stream.String("StreamViewType", json::NameOf(json::kStreamViewTypeNames, output.view_type));
  stream.Time("CreationRequestDateTime", output.created_ms);
  stream.String("TableName", output.summary.table_name);
  json::AppendArray(output.key_schema, stream.Name("KeySchema"),
                    [&](const KeySchemaElement& element) {
                      json::ObjectWriter entry(out);
                      entry.String("AttributeName", element.attribute_name);
                      entry.String("KeyType", json::NameOf(json::kKeyTypeNames, element.key_type));
                    });
  json::AppendArray(output.shards, stream.Name("Shards"),
                    [&](const ShardDescription& shard) { AppendShard(shard, out); });
  if (output.last_evaluated_shard_id.has_value()) {
    stream.String("LastEvaluatedShardId", *output.last_evaluated_shard_id);
  }
}

}  // namespace prejoin::wire
