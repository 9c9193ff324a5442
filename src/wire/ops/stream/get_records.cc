#include "base/limits.h"
#include "json/enum_names.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/stream_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr EnumName<StreamEvent> kStreamEventNames[] = {
    {"INSERT", StreamEvent::kInsert},
    {"MODIFY", StreamEvent::kModify},
    {"REMOVE", StreamEvent::kRemove},
};

constexpr Member<GetRecordsInput> kGetRecordsMembers[] = {
    TextField<&GetRecordsInput::shard_iterator, kShardIteratorBytes>("ShardIterator",
                                                                     Presence::kRequired),
    RangeField<&GetRecordsInput::limit, 1, kStreamRecordsMax>("Limit"),
};

void AppendChange(const StreamRecord& record, std::string& out) {
  json::ObjectWriter change(out);
  change.Time("ApproximateCreationDateTime", record.created_ms);
  json::AppendItem(record.keys, change.Name("Keys"));
  if (record.new_image.has_value()) {
    json::AppendItem(*record.new_image, change.Name("NewImage"));
  }
  if (record.old_image.has_value()) {
    json::AppendItem(*record.old_image, change.Name("OldImage"));
  }
  change.String("SequenceNumber", record.sequence_number);
  change.Integer("SizeBytes", static_cast<std::int64_t>(record.size_bytes));
  change.String("StreamViewType", json::NameOf(json::kStreamViewTypeNames, record.view_type));
}

void AppendRecord(const StreamRecord& record, const std::string& region, std::string& out) {
  json::ObjectWriter entry(out);
  entry.String("eventID", record.event_id);
  entry.String("eventName", json::NameOf(kStreamEventNames, record.event));
  entry.String("eventVersion", "1.1");
  entry.String("eventSource", "aws:dynamodb");
  entry.String("awsRegion", region);
  AppendChange(record, entry.Name("dynamodb"));
  if (record.by_time_to_live) {
    json::ObjectWriter identity(entry.Name("userIdentity"));
    identity.String("PrincipalId", "dynamodb.amazonaws.com");
    identity.String("Type", "Service");
  }
}

}  // namespace

Result<GetRecordsInput> ParseGetRecordsInput(const RequestBody& request) {
  return ParseInput(request, kGetRecordsMembers);
}

void PrintGetRecordsOutput(const GetRecordsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.records, answer.Name("Records"),
                    [&](const StreamRecord& record) { AppendRecord(record, output.region, out); });
  if (output.next_shard_iterator.has_value()) {
    answer.String("NextShardIterator", *output.next_shard_iterator);
  }
}

}  // namespace prejoin::wire
