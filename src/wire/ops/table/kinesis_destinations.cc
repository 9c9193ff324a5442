// EnableKinesisStreamingDestination, DisableKinesisStreamingDestination,
// UpdateKinesisStreamingDestination, which read the same members and are refused, and
// DescribeKinesisStreamingDestination, which finds none. One file, because there is no Kinesis here.
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<engine::KinesisDestination> kKinesisMembers[] = {
    Field<&engine::KinesisDestination::table_name, ReadTableName>("TableName",
                                                                  Presence::kParameter),
    TextField<&engine::KinesisDestination::stream_arn, LengthLimits{37, 1024}>("StreamArn",
                                                                               Presence::kRequired),
};

}  // namespace

Result<engine::KinesisDestination> ParseKinesisDestinationInput(const RequestBody& request) {
  return ParseInput(request, kKinesisMembers);
}

void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("TableName", table_name);
  answer.Name("KinesisDataStreamDestinations").append("[]");
}

}  // namespace prejoin::wire
