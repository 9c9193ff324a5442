#include "base/limits.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/members/statement_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<ExecuteTransactionInput> kExecuteTransactionMembers[] = {
    {"TransactStatements",
     [](InputReader& reader, json::Value value, const Path& path, ExecuteTransactionInput& out) {
       return ReadStatements(reader, value, path, kTransactionItemsMax, out.statements);
     },
     Presence::kRequired},
    {"ClientRequestToken",
     [](InputReader& reader, json::Value value, const Path& path,
        ExecuteTransactionInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.client_request_token));
       const std::string& token = *out.client_request_token;
       reader.CheckLength(path, token, token.size(), {1, 36});
       return {};
     }},
    ReturnConsumedCapacityMember<ExecuteTransactionInput>(),
};

}  // namespace

Result<ExecuteTransactionInput> ParseExecuteTransactionInput(const RequestBody& request) {
  return ParseInput(request, kExecuteTransactionMembers);
}

void PrintExecuteTransactionOutput(const ExecuteTransactionOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.items, answer.Name("Responses"),
                    [&](const std::optional<StoredItem>& item) {
                      json::ObjectWriter response(out);
                      if (item) {
                        json::AppendItem(*item, response.Name("Item"));
                      }
                    });
  WriteCapacities(output.consumed_capacity, UnitDetail::kReadAndWrite, answer);
}

}  // namespace prejoin::wire
