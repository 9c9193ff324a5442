#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/stream_members.h"
#include "wire/names.h"
#include "wire/ops/backup/backups.h"

namespace prejoin::wire {
namespace {

using Input = RestoreTableFromBackupInput;

constexpr Member<Input> kMembers[] = {
    {"TargetTableName",
     [](InputReader& reader, json::Value value, const Path& path, Input& out) {
       return ReadNewTableName(reader, value, path, out.target_table_name);
     },
     Presence::kRequired},
    {"BackupArn",
     [](InputReader& reader, json::Value value, const Path& path, Input& out) {
       return ReadBounded(reader, value, path, kBackupArnBytes, out.backup_arn);
     },
     Presence::kRequired},
    BillingModeOverrideMember<Input>(),
    GlobalIndexOverrideMember<Input>(),
    LocalIndexOverrideMember<Input>(),
    ProvisionedThroughputOverrideMember<Input>(),
    OnDemandThroughputOverrideMember<Input>(),
    SseOverrideMember<Input>(),
};

}  // namespace

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(json::Value root) {
  return ParseInput(root, kMembers);
}

void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
