#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/table_name_input.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

Result<std::string> ParseDeleteTableInput(const RequestBody& request) {
  return ParseTableNameInput(request);
}

void PrintDeleteTableOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendDeletedTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
