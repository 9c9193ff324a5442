#include "json/writer.h"
#include "wire/members/resource_arn.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct Input {
  std::string arn;
};

constexpr Member<Input> kListTagsOfResourceMembers[] = {ResourceArnMember<Input>()};

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
