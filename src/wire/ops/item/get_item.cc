#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<GetItemInput> kGetItemMembers[] = {
    ReturnConsumedCapacityMember<GetItemInput>(),
    AttributesToGetMember<GetItemInput>(),
    TableNameMember<GetItemInput>(),
    KeyMember<GetItemInput>(),
    ConsistentReadMember<GetItemInput>(),
    ProjectionExpressionMember<GetItemInput>(),
    ExpressionNamesMember<GetItemInput>(),
};

}  // namespace

Result<GetItemInput> ParseGetItemInput(const RequestBody& request) {
  return ParseInput(request, kGetItemMembers, kGetItemForm);
}

void PrintGetItemOutput(const GetItemOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  if (output.item.has_value()) {
    json::AppendItem(*output.item, answer.Name("Item"));
  }
  WriteCapacity(output.consumed_capacity, answer);
}

}  // namespace prejoin::wire
