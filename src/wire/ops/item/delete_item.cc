#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<DeleteItemInput> kDeleteItemMembers[] = {
    ReturnConsumedCapacityMember<DeleteItemInput>(),
    TableNameMember<DeleteItemInput>(),
    ReturnValuesMember<DeleteItemInput>(),
    ReturnItemCollectionMetricsMember<DeleteItemInput>(),
    KeyMember<DeleteItemInput>(),
    ConditionalOperatorMember<DeleteItemInput>(),
    ExpectedMember<DeleteItemInput>(),
    ReturnValuesOnFailureMember<DeleteItemInput>(),
    ConditionExpressionMember<DeleteItemInput>(),
    ExpressionValuesMember<DeleteItemInput>(),
    ExpressionNamesMember<DeleteItemInput>(),
};

}  // namespace

Result<DeleteItemInput> ParseDeleteItemInput(json::Value root) {
  return ParseInput(root, kDeleteItemMembers);
}

void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
