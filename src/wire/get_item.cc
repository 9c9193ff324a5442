#include "wire/capacity_json.h"
#include "wire/item_json.h"
#include "wire/item_members.h"
#include "wire/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<GetItemInput> kMembers[] = {
    ReturnConsumedCapacityMember<GetItemInput>(),
    AttributesToGetMember<GetItemInput>(),
    TableNameMember<GetItemInput>(),
    KeyMember<GetItemInput>(),
    ConsistentReadMember<GetItemInput>(),
    ProjectionExpressionMember<GetItemInput>(),
    ExpressionNamesMember<GetItemInput>(),
};

}  // namespace

Result<GetItemInput> ParseGetItemInput(JsonValue root) { return ParseInput(root, kMembers); }

void PrintGetItemOutput(const GetItemOutput& output, std::string& out) {
  ObjectWriter answer(out);
  if (output.item.has_value()) {
    AppendItem(*output.item, answer.Name("Item"));
  }
  WriteCapacity(output.consumed_capacity, answer);
}

}  // namespace prejoin::wire
