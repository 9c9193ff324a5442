#include "wire/backup_json.h"
#include "wire/backups.h"
#include "wire/table_name_input.h"

namespace prejoin::wire {

Result<std::string> ParseDescribeContinuousBackupsInput(JsonValue root) {
  return ParseTableNameInput(root);
}

void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out) {
  ObjectWriter answer(out);
  AppendContinuousBackups(output, answer.Name("ContinuousBackupsDescription"));
}

}  // namespace prejoin::wire
