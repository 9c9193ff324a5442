#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/time_member.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<RestoreTableToPointInTimeInput> kRestoreTableToPointInTimeMembers[] = {
    {"SourceTableArn",
     [](InputReader& reader, json::Value value, const Path& path,
        RestoreTableToPointInTimeInput& out) {
       return ReadTableName(reader, value, path, out.source_table_name);
     }},
    {"SourceTableName",
     [](InputReader& reader, json::Value value, const Path& path,
        RestoreTableToPointInTimeInput& out) {
       return ReadTableName(reader, value, path, out.source_table_name);
     }},
    {"TargetTableName",
     [](InputReader& reader, json::Value value, const Path& path,
        RestoreTableToPointInTimeInput& out) {
       return ReadNewTableName(reader, value, path, out.target_table_name);
     },
     Presence::kRequired},
    {"UseLatestRestorableTime",
     [](InputReader& reader, json::Value value, const Path&, RestoreTableToPointInTimeInput& out) {
       return reader.ReadBool(value, out.use_latest_restorable_time);
     }},
    {"RestoreDateTime",
     [](InputReader&, json::Value value, const Path&, RestoreTableToPointInTimeInput& out) {
       return ReadTime(value, out.restore_ms);
     }},
    BillingModeOverrideMember<RestoreTableToPointInTimeInput>(),
    GlobalIndexOverrideMember<RestoreTableToPointInTimeInput>(),
    LocalIndexOverrideMember<RestoreTableToPointInTimeInput>(),
    VectorIndexOverrideMember<RestoreTableToPointInTimeInput>(),
    ProvisionedThroughputOverrideMember<RestoreTableToPointInTimeInput>(),
    OnDemandThroughputOverrideMember<RestoreTableToPointInTimeInput>(),
    SseOverrideMember<RestoreTableToPointInTimeInput>(),
};

}  // namespace

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(json::Value root) {
  return ParseInput(root, kRestoreTableToPointInTimeMembers,
                    [](InputReader& reader, RestoreTableToPointInTimeInput& input) {
                      if (input.source_table_name.empty()) {
                        reader.Refuse(Order::kRequest,
                                      "SourceTableName or SourceTableArn must be given");
                      }
                    });
}

void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
