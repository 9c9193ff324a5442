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

struct UpdateItemMembers {
  Member<UpdateItemInput> rows[13];
};

// Both readers end with the same members in the same order.
constexpr UpdateItemMembers BeginningWith(const Member<UpdateItemInput> (&first)[6]) {
  return {{first[0], first[1], first[2], first[3], first[4], first[5],
           ExpectedMember<UpdateItemInput>(), kAttributeUpdatesMember,
           ReturnValuesOnFailureMember<UpdateItemInput>(),
           ConditionExpressionMember<UpdateItemInput>(), UpdateExpressionMember<UpdateItemInput>(),
           ExpressionValuesMember<UpdateItemInput>(), ExpressionNamesMember<UpdateItemInput>()}};
}

constexpr UpdateItemMembers kUpdateItemMembers = BeginningWith({
    ReturnConsumedCapacityMember<UpdateItemInput>(),
    TableNameMember<UpdateItemInput>(),
    ReturnItemCollectionMetricsMember<UpdateItemInput>(),
    NewReturnValuesMember<UpdateItemInput, Company::kAlone>(),
    KeyMember<UpdateItemInput>(),
    NewConditionalOperatorMember<UpdateItemInput>(),
});

// As AWS's old reader has them, which reads what has no key or is too deep: see IsForOldReader.
constexpr UpdateItemMembers kOldUpdateItemMembers = BeginningWith({
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
});

}  // namespace

Result<UpdateItemInput> ParseUpdateItemInput(const RequestBody& request) {
  const auto key = request.root.Find("Key");
  if (!key || key->is_null()) {
    return ParseInput(request, kOldUpdateItemMembers.rows);
  }
  auto input = ParseInput(request, kUpdateItemMembers.rows, kUpdateItemForm);
  return input || !IsForOldReader(request.root) ? std::move(input)
                                                : ParseInput(request, kOldUpdateItemMembers.rows);
}

void PrintUpdateItemOutput(const UpdateItemOutput& output, std::string& out) {
  AppendWriteItemOutput(output, out);
}

}  // namespace prejoin::wire
