#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/time_member.h"
#include "wire/names.h"
#include "wire/ops/backup/backups.h"

namespace prejoin::wire {
namespace {

using Input = RestoreTableToPointInTimeInput;

constexpr Member<Input> kMembers[] = {
    {"SourceTableArn",
     [](InputReader& reader, json::Value value, const Path& path, Input& out) {
       return ReadTableName(reader, value, path, out.source_table_name);
     }},
    {"SourceTableName",
     [](InputReader& reader, json::Value value, const Path& path, Input& out) {
       return ReadTableName(reader, value, path, out.source_table_name);
     }},
    {"TargetTableName",
     [](InputReader& reader, json::Value value, const Path& path, Input& out) {
       return ReadNewTableName(reader, value, path, out.target_table_name);
     },
     Presence::kRequired},
    {"UseLatestRestorableTime",
     [](InputReader& reader, json::Value value, const Path&, Input& out) {
       return reader.ReadBool(value, out.use_latest_restorable_time);
     }},
    {"RestoreDateTime", [](InputReader& reader, json::Value value, const Path&,
                           Input& out) { return ReadTime(reader, value, out.restore_ms); }},
    BillingModeOverrideMember<Input>(),
    GlobalIndexOverrideMember<Input>(),
    LocalIndexOverrideMember<Input>(),
    ProvisionedThroughputOverrideMember<Input>(),
    OnDemandThroughputOverrideMember<Input>(),
    SseOverrideMember<Input>(),
};

}  // namespace

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(json::Value root) {
  return ParseInput(root, kMembers, [](InputReader& reader, Input& input) {
    if (input.source_table_name.empty()) {
      reader.Refuse(Order::kRequest, "SourceTableName or SourceTableArn must be given");
    }
  });
}

void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
