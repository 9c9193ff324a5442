#include "wire/item_members.h"
#include "wire/operations.h"
#include "wire/write_item_json.h"

namespace prejoin::wire {
namespace {

constexpr Member<UpdateItemInput> kMembers[] = {
    ReturnConsumedCapacityMember<UpdateItemInput>(),
    TableNameMember<UpdateItemInput>(),
    ReturnItemCollectionMetricsMember<UpdateItemInput>(),
    ReturnValuesMember<UpdateItemInput>(),
    KeyMember<UpdateItemInput>(),
    ConditionalOperatorMember<UpdateItemInput>(),
    ExpectedMember<UpdateItemInput>(),
    {"AttributeUpdates",
     [](InputReader& reader, JsonValue value, const Path& path, UpdateItemInput& out) {
       return ReadAttributeUpdates(reader, value, path, out.attribute_updates);
     }},
    ReturnValuesOnFailureMember<UpdateItemInput>(),
    ConditionExpressionMember<UpdateItemInput>(),
    UpdateExpressionMember<UpdateItemInput>(),
    ExpressionValuesMember<UpdateItemInput>(),
    ExpressionNamesMember<UpdateItemInput>(),
};

}  // namespace

Result<UpdateItemInput> ParseUpdateItemInput(JsonValue root) { return ParseInput(root, kMembers); }

void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
