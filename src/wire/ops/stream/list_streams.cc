#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/stream_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<ListStreamsInput> kListStreamsMembers[] = {
    Field<&ListStreamsInput::table_name, ReadTableName>("TableName"),
    RangeField<&ListStreamsInput::limit, 1, kStreamsPageMax>("Limit"),
    TextField<&ListStreamsInput::exclusive_start_stream_arn, kStreamArnBytes>(
        "ExclusiveStartStreamArn"),
};

}  // namespace

Result<ListStreamsInput> ParseListStreamsInput(const RequestBody& request) {
  return ParseInput(request, kListStreamsMembers);
}

void PrintListStreamsOutput(const ListStreamsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.streams, answer.Name("Streams"), [&](const StreamSummary& stream) {
    json::ObjectWriter entry(out);
    entry.String("StreamArn", stream.arn);
    entry.String("TableName", stream.table_name);
    entry.String("StreamLabel", stream.label);
  });
  if (output.last_evaluated_stream_arn.has_value()) {
    answer.String("LastEvaluatedStreamArn", *output.last_evaluated_stream_arn);
  }
}

}  // namespace prejoin::wire
