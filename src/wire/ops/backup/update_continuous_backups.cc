#include "base/backup_limits.h"
#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/input_reader.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<UpdateContinuousBackupsInput> kSpecificationMembers[] = {
    {"PointInTimeRecoveryEnabled",
     [](InputReader& reader, json::Value value, const Path&, UpdateContinuousBackupsInput& out) {
       return reader.ReadBool(value, out.point_in_time_recovery_enabled);
     },
     Presence::kRequired},
    {"RecoveryPeriodInDays",
     [](InputReader& reader, json::Value value, const Path& path,
        UpdateContinuousBackupsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.recovery_period_days));
       reader.CheckRange(path, *out.recovery_period_days, 1, kRecoveryDaysMax);
       return {};
     }},
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
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path,
        UpdateContinuousBackupsInput& out) {
       return ReadTableName(reader, value, path, out.table_name);
     },
     Presence::kParameter},
};

}  // namespace

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(json::Value root) {
  return ParseInput(root, kUpdateContinuousBackupsMembers);
}

void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendContinuousBackups(output, answer.Name("ContinuousBackupsDescription"));
}

}  // namespace prejoin::wire
