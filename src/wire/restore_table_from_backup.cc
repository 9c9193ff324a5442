#include "wire/backup_members.h"
#include "wire/backups.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/stream_members.h"
#include "wire/table_json.h"

namespace prejoin::wire {
namespace {

using Input = RestoreTableFromBackupInput;

constexpr Member<Input> kMembers[] = {
    {"TargetTableName",
     [](InputReader& reader, JsonValue value, const Path& path, Input& out) {
       return ReadNewTableName(reader, value, path, out.target_table_name);
     },
     Presence::kRequired},
    {"BackupArn",
     [](InputReader& reader, JsonValue value, const Path& path, Input& out) {
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

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(JsonValue root) {
  return ParseInput(root, kMembers);
}

void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out) {
  ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
