#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/field.h"
#include "wire/members/time_member.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr std::int64_t kPageMax = 100;

constexpr EnumName<std::optional<BackupType>> kTypeFilterNames[] = {
    {"USER", BackupType::kUser},
    {"SYSTEM", BackupType::kSystem},
    {"AWS_BACKUP", BackupType::kAwsBackup},
    {"ALL", std::nullopt},
};

constexpr Member<ListBackupsInput> kListBackupsMembers[] = {
    Field<&ListBackupsInput::table_name, ReadTableName>("TableName"),
    RangeField<&ListBackupsInput::limit, 1, kPageMax>("Limit"),
    {"TimeRangeLowerBound", [](InputReader&, json::Value value, const Path&,
                               ListBackupsInput& out) { return ReadTime(value, out.from_ms); }},
    {"TimeRangeUpperBound", [](InputReader&, json::Value value, const Path&,
                               ListBackupsInput& out) { return ReadTime(value, out.to_ms); }},
    TextField<&ListBackupsInput::exclusive_start_backup_arn, kBackupArnBytes>(
        "ExclusiveStartBackupArn"),
    EnumField<&ListBackupsInput::type, kTypeFilterNames>("BackupType"),
};

}  // namespace

Result<ListBackupsInput> ParseListBackupsInput(const RequestBody& request) {
  return ParseInput(request, kListBackupsMembers);
}

void PrintListBackupsOutput(const ListBackupsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.backups, answer.Name("BackupSummaries"),
                    [&](const BackupSummary& backup) {
                      json::ObjectWriter entry(out);
                      entry.String("TableName", backup.table_name);
                      entry.String("TableId", backup.table_id);
                      entry.String("TableArn", backup.table_arn);
                      WriteBackupDetails(backup.details, entry);
                    });
  if (output.last_evaluated_backup_arn.has_value()) {
    answer.String("LastEvaluatedBackupArn", *output.last_evaluated_backup_arn);
  }
}

}  // namespace prejoin::wire
