#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<DeleteItemInput> kDeleteItemMembers[] = {
    ReturnConsumedCapacityMember<DeleteItemInput>(),
    NewReturnValuesMember<DeleteItemInput>(),
    TableNameMember<DeleteItemInput>(),
    ReturnItemCollectionMetricsMember<DeleteItemInput>(),
    KeyMember<DeleteItemInput>(),
    NewConditionalOperatorMember<DeleteItemInput>(),
    ExpectedMember<DeleteItemInput>(),
    ReturnValuesOnFailureMember<DeleteItemInput>(),
    ConditionExpressionMember<DeleteItemInput>(),
    ExpressionValuesMember<DeleteItemInput>(),
    ExpressionNamesMember<DeleteItemInput>(),
};

}  // namespace

Result<DeleteItemInput> ParseDeleteItemInput(json::Value root) {
  return ParseInput(root, kDeleteItemMembers, kDeleteItemForm);
}

void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
