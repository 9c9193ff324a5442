#include "wire/answers/write_item_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<PutItemInput> kPutItemMembers[] = {
    ReturnConsumedCapacityMember<PutItemInput>(),
    TableNameMember<PutItemInput>(),
    {"Item",
     [](InputReader& reader, json::Value value, const Path&, PutItemInput& out) {
       return ReadItem(reader, value, Order::kItem, out.item);
     },
     Presence::kRequired},
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

Result<PutItemInput> ParsePutItemInput(json::Value root) {
  return ParseInput(root, kPutItemMembers);
}

void PrintPutItemOutput(const PutItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
