#include <utility>

#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<UpdateItemInput> kAttributeUpdatesMember = {
    "AttributeUpdates",
    [](InputReader& reader, json::Value value, const Path& path, UpdateItemInput& out) {
      return ReadAttributeUpdates(reader, value, path, out.attribute_updates);
    }};

constexpr Member<UpdateItemInput> kUpdateItemMembers[] = {
    ReturnConsumedCapacityMember<UpdateItemInput>(),
    TableNameMember<UpdateItemInput>(),
    ReturnItemCollectionMetricsMember<UpdateItemInput>(),
    NewReturnValuesMember<UpdateItemInput, Company::kAlone>(),
    KeyMember<UpdateItemInput>(),
    NewConditionalOperatorMember<UpdateItemInput>(),
    ExpectedMember<UpdateItemInput>(),
    kAttributeUpdatesMember,
    ReturnValuesOnFailureMember<UpdateItemInput>(),
    ConditionExpressionMember<UpdateItemInput>(),
    UpdateExpressionMember<UpdateItemInput>(),
    ExpressionValuesMember<UpdateItemInput>(),
    ExpressionNamesMember<UpdateItemInput>(),
};

// As AWS's old reader has them, which reads what has no key or is too deep: see IsForOldReader.
constexpr Member<UpdateItemInput> kOldUpdateItemMembers[] = {
    ReturnConsumedCapacityMember<UpdateItemInput>(),
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, UpdateItemInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.table_name));
       reader.CheckLength(path, out.table_name, out.table_name.size(), {1, 1024});
       return {};
     },
     Presence::kRequired},
    ConditionalOperatorMember<UpdateItemInput>(),
    ReturnValuesMember<UpdateItemInput>(),
    KeyMember<UpdateItemInput>(),
    ReturnItemCollectionMetricsMember<UpdateItemInput>(),
    ExpectedMember<UpdateItemInput>(),
    kAttributeUpdatesMember,
    ReturnValuesOnFailureMember<UpdateItemInput>(),
    ConditionExpressionMember<UpdateItemInput>(),
    UpdateExpressionMember<UpdateItemInput>(),
    ExpressionValuesMember<UpdateItemInput>(),
    ExpressionNamesMember<UpdateItemInput>(),
};

}  // namespace

Result<UpdateItemInput> ParseUpdateItemInput(json::Value root) {
  const auto key = root.Find("Key");
  if (!key || key->is_null()) {
    return ParseInput(root, kOldUpdateItemMembers);
  }
  auto input = ParseInput(root, kUpdateItemMembers, kUpdateItemForm);
  return input || !IsForOldReader(root) ? std::move(input)
                                        : ParseInput(root, kOldUpdateItemMembers);
}

void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
