#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/field.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr auto kRestoreTableFromBackupMembers = WithOverrides<RestoreTableFromBackupInput>({
    Field<&RestoreTableFromBackupInput::target_table_name, ReadNewTableName>("TargetTableName",
                                                                             Presence::kRequired),
    ArnField<&RestoreTableFromBackupInput::backup_arn, kBackupArnBytes>("BackupArn",
                                                                        Presence::kRequired),
});

}  // namespace

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(const RequestBody& request) {
  return ParseInput(request, kRestoreTableFromBackupMembers.rows);
}

void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
