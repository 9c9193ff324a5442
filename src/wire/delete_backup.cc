#include "wire/backup_json.h"
#include "wire/backup_members.h"
#include "wire/backups.h"

namespace prejoin::wire {

Result<std::string> ParseDeleteBackupInput(JsonValue root) { return ParseBackupArnInput(root); }

void PrintDeleteBackupOutput(const BackupDescription& output, std::string& out) {
  ObjectWriter answer(out);
  AppendBackupDescription(output, answer.Name("BackupDescription"));
}

}  // namespace prejoin::wire
