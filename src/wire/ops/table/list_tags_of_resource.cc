#include "json/writer.h"
#include "wire/members/resource_arn.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct Input {
  std::string arn;
};

// All tags fit into one answer, so there is no token that could be given back.
constexpr Member<Input> kListTagsOfResourceMembers[] = {
    ResourceArnMember<Input>(),
    RefusedMember<Input>("NextToken"),
};

}  // namespace

Result<std::string> ParseListTagsOfResourceInput(json::Value root) {
  PJ_ASSIGN_OR_RETURN(Input input, ParseInput(root, kListTagsOfResourceMembers));
  return std::move(input.arn);
}

void PrintListTagsOfResourceOutput(const ListTagsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.tags, answer.Name("Tags"), [&](const Tag& tag) {
    json::ObjectWriter entry(out);
    entry.String("Key", tag.key);
    entry.String("Value", tag.value);
  });
  if (output.next_token.has_value()) {
    answer.String("NextToken", *output.next_token);
  }
}

}  // namespace prejoin::wire
