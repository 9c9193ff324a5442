#include "wire/operations.h"
#include "wire/table_json.h"
#include "wire/table_name_input.h"

namespace prejoin::wire {

Result<std::string> ParseDescribeTableInput(JsonValue root) { return ParseTableNameInput(root); }

void PrintDescribeTableOutput(const TableDescription& output, std::string& out) {
  ObjectWriter answer(out);
  AppendTable(output, answer.Name("Table"));
}

}  // namespace prejoin::wire
