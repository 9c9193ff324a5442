#include "json/writer.h"
#include "wire/members/stream_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<TimeToLiveSpecification> kTimeToLiveMembers[] = {
    {"AttributeName",
     [](InputReader& reader, json::Value value, const Path& path, TimeToLiveSpecification& out) {
       return ReadBounded(reader, value, path, {1, 255}, out.attribute_name);
     },
     Presence::kRequired},
    {"Enabled",
     [](InputReader& reader, json::Value value, const Path&, TimeToLiveSpecification& out) {
       return reader.ReadBool(value, out.enabled);
     },
     Presence::kRequired},
};

constexpr Member<UpdateTimeToLiveInput> kUpdateTimeToLiveMembers[] = {
    {"TimeToLiveSpecification",
     [](InputReader& reader, json::Value value, const Path& path,
        UpdateTimeToLiveInput& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "TimeToLiveSpecification"}));
       return reader.ReadMembers(value, &path, kTimeToLiveMembers, out.specification);
     },
     Presence::kRequired},
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, UpdateTimeToLiveInput& out) {
       return ReadTableName(reader, value, path, out.table_name);
     },
     Presence::kParameter},
};

}  // namespace

Result<UpdateTimeToLiveInput> ParseUpdateTimeToLiveInput(json::Value root) {
  return ParseInput(root, kUpdateTimeToLiveMembers);
}

void PrintUpdateTimeToLiveOutput(const TimeToLiveSpecification& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter specification(answer.Name("TimeToLiveSpecification"));
  specification.String("AttributeName", output.attribute_name);
  specification.Bool("Enabled", output.enabled);
}

}  // namespace prejoin::wire
