#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/field.h"
#include "wire/members/input_reader.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<CreateBackupInput> kCreateBackupMembers[] = {
    Field<&CreateBackupInput::table_name, ReadTableName>("TableName", Presence::kParameter),
    {"BackupName",
     [](InputReader& reader, json::Value value, const Path& path, CreateBackupInput& out) {
       // The rules are those of an index's name.
       return ReadIndexName(reader, value, path, out.backup_name);
     },
     Presence::kRequired},
};

}  // namespace

Result<CreateBackupInput> ParseCreateBackupInput(const RequestBody& request) {
  return ParseInput(request, kCreateBackupMembers);
}

void PrintCreateBackupOutput(const BackupDetails& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter details(answer.Name("BackupDetails"));
  WriteBackupDetails(output, details);
}

}  // namespace prejoin::wire
