#include "wire/backup_json.h"
#include "wire/backups.h"
#include "wire/input_reader.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

constexpr Member<CreateBackupInput> kMembers[] = {
    {"TableName",
     [](InputReader& reader, JsonValue value, const Path& path, CreateBackupInput& out) {
       return ReadTableName(reader, value, path, out.table_name);
     },
     Presence::kParameter},
    {"BackupName",
     [](InputReader& reader, JsonValue value, const Path& path, CreateBackupInput& out) {
       // The rules are those of an index's name.
       return ReadIndexName(reader, value, path, out.backup_name);
     },
     Presence::kRequired},
};

}  // namespace

Result<CreateBackupInput> ParseCreateBackupInput(JsonValue root) {
  return ParseInput(root, kMembers);
}

void PrintCreateBackupOutput(const BackupDetails& output, std::string& out) {
  ObjectWriter answer(out);
  ObjectWriter details(answer.Name("BackupDetails"));
  WriteBackupDetails(output, details);
}

}  // namespace prejoin::wire
