#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/backup_members.h"
#include "wire/members/field.h"
#include "wire/members/time_member.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr auto kRestoreTableToPointInTimeMembers = WithOverrides<RestoreTableToPointInTimeInput>({
    Field<&RestoreTableToPointInTimeInput::source_table_name, ReadTableName>("SourceTableArn"),
    Field<&RestoreTableToPointInTimeInput::source_table_name, ReadTableName>("SourceTableName"),
    Field<&RestoreTableToPointInTimeInput::target_table_name, ReadNewTableName>(
        "TargetTableName", Presence::kRequired),
    Field<&RestoreTableToPointInTimeInput::use_latest_restorable_time>("UseLatestRestorableTime"),
    {"RestoreDateTime",
     [](InputReader&, json::Value value, const Path&, RestoreTableToPointInTimeInput& out) {
       return ReadTime(value, out.restore_ms);
     }},
});

}  // namespace

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(
    const RequestBody& request) {
  return ParseInput(request, kRestoreTableToPointInTimeMembers.rows,
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
