#include "wire/operations.h"
#include "wire/table_json.h"
#include "wire/table_name_input.h"

namespace prejoin::wire {

Result<std::string> ParseDeleteTableInput(JsonValue root) { return ParseTableNameInput(root); }

void PrintDeleteTableOutput(const TableDescription& output, std::string& out) {
  ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
