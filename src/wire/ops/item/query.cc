#include "wire/answers/page_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<QueryInput> kQueryMembers[] = {
    SelectMember<QueryInput>(),
    IndexNameMember<QueryInput>(),
    ReturnConsumedCapacityMember<QueryInput>(),
    {"QueryFilter",
     [](InputReader& reader, json::Value value, const Path& path, QueryInput& out) {
       return ReadLegacyConditions(reader, value, path, Order::kFilter, out.query_filter);
     }},
    TableNameMember<QueryInput>(),
    NewConditionalOperatorMember<QueryInput>(),
    AttributesToGetMember<QueryInput>(),
    {"Limit", [](InputReader& reader, json::Value value, const Path&,
                 QueryInput& out) { return reader.ReadInt32(value, out.limit); }},
    {"KeyConditions",
     [](InputReader& reader, json::Value value, const Path& path, QueryInput& out) {
       return ReadLegacyConditions(reader, value, path, Order::kKeyConditions, out.key_conditions);
     }},
    StartKeyMember<QueryInput>(),
    ConsistentReadMember<QueryInput>(),
    {"ScanIndexForward",
     [](InputReader& reader, json::Value value, const Path&, QueryInput& out) {
       return reader.ReadBool(value, out.scan_index_forward);
     }},
    {"KeyConditionExpression",
     [](InputReader& reader, json::Value value, const Path&, QueryInput& out) {
       return reader.ReadString(value, out.key_condition_expression);
     }},
    FilterExpressionMember<QueryInput>(),
    ProjectionExpressionMember<QueryInput>(),
    ExpressionValuesMember<QueryInput>(),
    ExpressionNamesMember<QueryInput>(),
};

// DynamoDB checks Query's limit apart from the other constraints, and words it differently from
// Scan's.
void CheckLimit(InputReader& reader, const QueryInput& input) {
  if (input.limit.has_value() && *input.limit < 1) {
    reader.Refuse(Order::kRequest,
                  "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
                  "Member must have value greater than or equal to 1");
  }
}

}  // namespace

Result<QueryInput> ParseQueryInput(const RequestBody& request) {
  return ParseInput(request, kQueryMembers, kQueryForm, CheckLimit);
}

void PrintQueryOutput(const QueryOutput& output, std::string& out) { AppendPage(output, out); }

}  // namespace prejoin::wire
