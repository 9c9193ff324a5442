#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/input_reader.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr std::int64_t kListTablesLimitMax = 100;

constexpr Member<ListTablesInput> kListTablesMembers[] = {
    RangeField<&ListTablesInput::limit, 1, kListTablesLimitMax>("Limit"),
    {"ExclusiveStartTableName",
     [](InputReader& reader, json::Value value, const Path& path, ListTablesInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.exclusive_start_table_name));
       const std::string& name = *out.exclusive_start_table_name;
       reader.CheckPattern(path, name);
       reader.CheckLength(path, name, name.size(), {3, 255});
       return {};
     }},
};

}  // namespace

Result<ListTablesInput> ParseListTablesInput(const RequestBody& request) {
  return ParseInput(request, kListTablesMembers);
}

void PrintListTablesOutput(const ListTablesOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.table_names, answer.Name("TableNames"),
                    [&](const std::string& name) { json::AppendString(name, out); });
  if (output.last_evaluated_table_name.has_value()) {
    answer.String("LastEvaluatedTableName", *output.last_evaluated_table_name);
  }
}

}  // namespace prejoin::wire
