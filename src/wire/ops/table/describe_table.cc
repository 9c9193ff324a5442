#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/table_name_input.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

Result<std::string> ParseDescribeTableInput(const RequestBody& request) {
  return ParseTableNameInput(request);
}

void PrintDescribeTableOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("Table"));
}

}  // namespace prejoin::wire
