#include "base/backup_limits.h"
#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/field.h"
#include "wire/members/input_reader.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<UpdateContinuousBackupsInput> kSpecificationMembers[] = {
    Field<&UpdateContinuousBackupsInput::point_in_time_recovery_enabled>(
        "PointInTimeRecoveryEnabled", Presence::kRequired),
    RangeField<&UpdateContinuousBackupsInput::recovery_period_days, 1, kRecoveryDaysMax>(
        "RecoveryPeriodInDays"),
};

constexpr Member<UpdateContinuousBackupsInput> kUpdateContinuousBackupsMembers[] = {
    {"PointInTimeRecoverySpecification",
     [](InputReader& reader, json::Value value, const Path& path,
        UpdateContinuousBackupsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "PointInTimeRecoverySpecification"}));
       return reader.ReadMembers(value, &path, kSpecificationMembers, out);
     },
     Presence::kRequired},
    Field<&UpdateContinuousBackupsInput::table_name, ReadTableName>("TableName",
                                                                    Presence::kParameter),
};

}  // namespace

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(const RequestBody& request) {
  return ParseInput(request, kUpdateContinuousBackupsMembers);
}

void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendContinuousBackups(output, answer.Name("ContinuousBackupsDescription"));
}

}  // namespace prejoin::wire
