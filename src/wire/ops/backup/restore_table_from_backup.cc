#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/stream_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<RestoreTableFromBackupInput> kRestoreTableFromBackupMembers[] = {
    {"TargetTableName",
     [](InputReader& reader, json::Value value, const Path& path,
        RestoreTableFromBackupInput& out) {
       return ReadNewTableName(reader, value, path, out.target_table_name);
     },
     Presence::kRequired},
    {"BackupArn",
     [](InputReader& reader, json::Value value, const Path& path,
        RestoreTableFromBackupInput& out) {
       return ReadBounded(reader, value, path, kBackupArnBytes, out.backup_arn);
     },
     Presence::kRequired},
    BillingModeOverrideMember<RestoreTableFromBackupInput>(),
    GlobalIndexOverrideMember<RestoreTableFromBackupInput>(),
    LocalIndexOverrideMember<RestoreTableFromBackupInput>(),
    VectorIndexOverrideMember<RestoreTableFromBackupInput>(),
    ProvisionedThroughputOverrideMember<RestoreTableFromBackupInput>(),
    OnDemandThroughputOverrideMember<RestoreTableFromBackupInput>(),
    SseOverrideMember<RestoreTableFromBackupInput>(),
};

}  // namespace

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(json::Value root) {
  return ParseInput(root, kRestoreTableFromBackupMembers);
}

void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
