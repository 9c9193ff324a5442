#include "base/limits.h"
#include "wire/capacity_json.h"
#include "wire/item_json.h"
#include "wire/item_members.h"
#include "wire/statements.h"

namespace prejoin::wire {
namespace {

constexpr Member<ExecuteTransactionInput> kMembers[] = {
    {"TransactStatements",
     [](InputReader& reader, JsonValue value, const Path& path, ExecuteTransactionInput& out) {
       return ReadStatements(reader, value, path, kTransactionItemsMax, out.statements);
     },
     Presence::kRequired},
    {"ClientRequestToken",
     [](InputReader& reader, JsonValue value, const Path& path,
        ExecuteTransactionInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.client_request_token));
       const std::string& token = *out.client_request_token;
       reader.CheckLength(path, token, token.size(), {1, 36});
       return {};
     }},
    ReturnConsumedCapacityMember<ExecuteTransactionInput>(),
};

}  // namespace

Result<ExecuteTransactionInput> ParseExecuteTransactionInput(JsonValue root) {
  return ParseInput(root, kMembers);
}

void PrintExecuteTransactionOutput(const ExecuteTransactionOutput& output, std::string& out) {
  ObjectWriter answer(out);
  AppendJsonArray(output.items, answer.Name("Responses"),
                  [&](const std::optional<StoredItem>& item) {
                    ObjectWriter response(out);
                    if (item) {
                      AppendItem(*item, response.Name("Item"));
                    }
                  });
  WriteCapacities(output.consumed_capacity, UnitDetail::kReadAndWrite, answer);
}

}  // namespace prejoin::wire
