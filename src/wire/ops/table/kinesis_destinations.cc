// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination,
// UpdateKinesisStreamingDestination, which read the same members and are refused, and
// DescribeKinesisStreamingDestination, which finds none. One file, because there is no Kinesis here.
#include "json/writer.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<engine::KinesisDestination> kKinesisMembers[] = {
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, engine::KinesisDestination& out) {
       return ReadTableName(reader, value, path, out.table_name);
     },
     Presence::kParameter},
    {"StreamArn",
     [](InputReader& reader, json::Value value, const Path& path,
        engine::KinesisDestination& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.stream_arn));
       reader.CheckLength(path, out.stream_arn, out.stream_arn.size(), {37, 1024});
       return {};
     },
     Presence::kRequired},
};

}  // namespace

Result<engine::KinesisDestination> ParseKinesisDestinationInput(json::Value root) {
  return ParseInput(root, kKinesisMembers);
}

void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("TableName", table_name);
  answer.Name("KinesisDataStreamDestinations").append("[]");
}

}  // namespace prejoin::wire
