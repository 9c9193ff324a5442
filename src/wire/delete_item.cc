#include "wire/item_members.h"
#include "wire/operations.h"
#include "wire/write_item_json.h"

namespace prejoin::wire {
namespace {

constexpr Member<DeleteItemInput> kMembers[] = {
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

Result<DeleteItemInput> ParseDeleteItemInput(JsonValue root) { return ParseInput(root, kMembers); }

void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
