#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/field.h"
#include "wire/members/item_members.h"
#include "wire/members/statement_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<ExecuteStatementInput> kExecuteStatementMembers[] = {
    Field<&ExecuteStatementInput::statement, ReadStatementText>("Statement", Presence::kRequired),
    {"Parameters",
     [](InputReader& reader, json::Value value, const Path& path,
        ExecuteStatementInput& out) -> Status {
       json::ValueFault fault;
       PJ_RETURN_IF_ERROR(ReadParameters(reader, value, path, out.parameters, fault));
       if (!fault.empty()) {
         reader.Refuse(Order::kItem, std::move(fault.text));
       }
       return {};
     }},
    ConsistentReadMember<ExecuteStatementInput>(),
    TextField<&ExecuteStatementInput::next_token, LengthLimits{1, 32768}>("NextToken"),
    ReturnConsumedCapacityMember<ExecuteStatementInput>(),
    {"Limit",
     [](InputReader& reader, json::Value value, const Path& path,
        ExecuteStatementInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.limit));
       reader.CheckRange(path, *out.limit, 1);
       return {};
     }},
    ReturnValuesOnFailureMember<ExecuteStatementInput>(),
};

}  // namespace

Result<ExecuteStatementInput> ParseExecuteStatementInput(const RequestBody& request) {
  return ParseInput(request, kExecuteStatementMembers);
}

void PrintExecuteStatementOutput(const ExecuteStatementOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.items, answer.Name("Items"),
                    [&](const StoredItem& item) { json::AppendItem(item, out); });
  if (output.next_token) {
    answer.String("NextToken", *output.next_token);
  }
  if (output.last_evaluated_key) {
    json::AppendItem(*output.last_evaluated_key, answer.Name("LastEvaluatedKey"));
  }
  WriteCapacity(output.consumed_capacity, answer);
}

}  // namespace prejoin::wire
