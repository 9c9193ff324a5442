#include <utility>

#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<PutItemInput> kItemMember = {
    "Item",
    [](InputReader& reader, json::Value value, const Path&, PutItemInput& out) {
      return ReadItem(reader, value, Order::kItem, out.item);
    },
    Presence::kRequired};

constexpr Member<PutItemInput> kPutItemMembers[] = {
    ReturnConsumedCapacityMember<PutItemInput>(),
    NewReturnValuesMember<PutItemInput>(),
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, PutItemInput& out) -> Status {
       if (value.type() == json::Type::kString && value.string().empty()) {
         reader.Refuse(Order::kTableName,
                       "1 validation error detected: Value at 'TableName' failed to satisfy "
                       "constraint: Member must have length greater than or equal to 1");
       }
       return ReadTableName(reader, value, path, out.table_name);
     },
     Presence::kRequired},
    kItemMember,
    NewConditionalOperatorMember<PutItemInput>(),
    ExpectedMember<PutItemInput>(),
    ReturnItemCollectionMetricsMember<PutItemInput>(),
    ReturnValuesOnFailureMember<PutItemInput>(),
    ConditionExpressionMember<PutItemInput>(),
    ExpressionValuesMember<PutItemInput>(),
    ExpressionNamesMember<PutItemInput>(),
};

// As AWS's old reader has them: see IsForOldReader.
constexpr Member<PutItemInput> kOldPutItemMembers[] = {
    ReturnConsumedCapacityMember<PutItemInput>(),
    TableNameMember<PutItemInput>(),
    kItemMember,
    ConditionalOperatorMember<PutItemInput>(),
    ExpectedMember<PutItemInput>(),
    ReturnValuesMember<PutItemInput>(),
    ReturnItemCollectionMetricsMember<PutItemInput>(),
    ReturnValuesOnFailureMember<PutItemInput>(),
    ConditionExpressionMember<PutItemInput>(),
    ExpressionValuesMember<PutItemInput>(),
    ExpressionNamesMember<PutItemInput>(),
};

}  // namespace

Result<PutItemInput> ParsePutItemInput(const RequestBody& request) {
  auto input = ParseInput(request, kPutItemMembers, kPutItemForm);
  return input || !IsForOldReader(request.root) ? std::move(input)
                                                : ParseInput(request, kOldPutItemMembers);
}

void PrintPutItemOutput(const PutItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
