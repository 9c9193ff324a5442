#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<TimeToLiveSpecification> kTimeToLiveMembers[] = {
    TextField<&TimeToLiveSpecification::attribute_name, LengthLimits{1, 255}>("AttributeName",
                                                                              Presence::kRequired),
    Field<&TimeToLiveSpecification::enabled>("Enabled", Presence::kRequired),
};

constexpr Member<UpdateTimeToLiveInput> kUpdateTimeToLiveMembers[] = {
    StructureField<&UpdateTimeToLiveInput::specification, kTimeToLiveMembers>(
        "TimeToLiveSpecification", Presence::kRequired),
    Field<&UpdateTimeToLiveInput::table_name, ReadTableName>("TableName", Presence::kParameter),
};

}  // namespace

Result<UpdateTimeToLiveInput> ParseUpdateTimeToLiveInput(const RequestBody& request) {
  return ParseInput(request, kUpdateTimeToLiveMembers);
}

void PrintUpdateTimeToLiveOutput(const TimeToLiveSpecification& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter specification(answer.Name("TimeToLiveSpecification"));
  specification.String("AttributeName", output.attribute_name);
  specification.Bool("Enabled", output.enabled);
}

}  // namespace prejoin::wire
