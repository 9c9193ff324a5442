#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/stream_members.h"
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
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, ListBackupsInput& out) -> Status {
       return ReadTableName(reader, value, path, out.table_name.emplace());
     }},
    {"Limit",
     [](InputReader& reader, json::Value value, const Path& path, ListBackupsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.limit));
       reader.CheckRange(path, *out.limit, 1, kPageMax);
       return {};
     }},
    {"TimeRangeLowerBound", [](InputReader&, json::Value value, const Path&,
                               ListBackupsInput& out) { return ReadTime(value, out.from_ms); }},
    {"TimeRangeUpperBound", [](InputReader&, json::Value value, const Path&,
                               ListBackupsInput& out) { return ReadTime(value, out.to_ms); }},
    {"ExclusiveStartBackupArn",
     [](InputReader& reader, json::Value value, const Path& path, ListBackupsInput& out) {
       return ReadBounded(reader, value, path, kBackupArnBytes, out.exclusive_start_backup_arn);
     }},
    {"BackupType",
     [](InputReader& reader, json::Value value, const Path& path, ListBackupsInput& out) {
       return reader.ReadEnum(value, path, kTypeFilterNames, out.type);
     }},
};

}  // namespace

Result<ListBackupsInput> ParseListBackupsInput(json::Value root) {
  return ParseInput(root, kListBackupsMembers);
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
