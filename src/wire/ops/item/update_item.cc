#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<UpdateItemInput> kUpdateItemMembers[] = {
    ReturnConsumedCapacityMember<UpdateItemInput>(),
    TableNameMember<UpdateItemInput>(),
    ReturnItemCollectionMetricsMember<UpdateItemInput>(),
    ReturnValuesMember<UpdateItemInput>(),
    KeyMember<UpdateItemInput>(),
    ConditionalOperatorMember<UpdateItemInput>(),
    ExpectedMember<UpdateItemInput>(),
    {"AttributeUpdates",
     [](InputReader& reader, json::Value value, const Path& path, UpdateItemInput& out) {
       return ReadAttributeUpdates(reader, value, path, out.attribute_updates);
     }},
    ReturnValuesOnFailureMember<UpdateItemInput>(),
    ConditionExpressionMember<UpdateItemInput>(),
    UpdateExpressionMember<UpdateItemInput>(),
    ExpressionValuesMember<UpdateItemInput>(),
    ExpressionNamesMember<UpdateItemInput>(),
};

}  // namespace

Result<UpdateItemInput> ParseUpdateItemInput(json::Value root) {
  return ParseInput(root, kUpdateItemMembers);
}

void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
