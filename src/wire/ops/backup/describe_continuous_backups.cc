#include "json/writer.h"
#include "wire/answers/backup_json.h"
#include "wire/members/table_name_input.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

Result<std::string> ParseDescribeContinuousBackupsInput(const RequestBody& request) {
  return ParseTableNameInput(request);
}

void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendContinuousBackups(output, answer.Name("ContinuousBackupsDescription"));
}

}  // namespace prejoin::wire
