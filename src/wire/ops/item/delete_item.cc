#include <utility>

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

// As AWS's old reader has them: see IsForOldReader.
constexpr Member<DeleteItemInput> kOldDeleteItemMembers[] = {
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

// The old reader looks at this before it looks into values.
void CheckReturnValues(InputReader& reader, const DeleteItemInput& input) {
  const ReturnValues wanted = input.return_values.value_or(ReturnValues::kNone);
  if (wanted != ReturnValues::kNone && wanted != ReturnValues::kAllOld) {
    reader.Refuse(Order::kRequest, "ReturnValues can only be ALL_OLD or NONE");
  }
}

}  // namespace

Result<DeleteItemInput> ParseDeleteItemInput(const RequestBody& request) {
  auto input = ParseInput(request, kDeleteItemMembers, kDeleteItemForm);
  return input || !IsForOldReader(request.root)
             ? std::move(input)
             : ParseInput(request, kOldDeleteItemMembers, CheckReturnValues);
}

void PrintDeleteItemOutput(const DeleteItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
