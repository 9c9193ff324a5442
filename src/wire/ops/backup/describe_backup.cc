#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/backup_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

Result<std::string> ParseDescribeBackupInput(const RequestBody& request) {
  return ParseBackupArnInput(request);
}

void PrintDescribeBackupOutput(const BackupDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendBackupDescription(output, answer.Name("BackupDescription"));
}

}  // namespace prejoin::wire
