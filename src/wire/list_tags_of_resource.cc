#include "wire/json_writer.h"
#include "wire/operations.h"
#include "wire/resource_arn.h"

namespace prejoin::wire {
namespace {

struct Input {
  std::string arn;
};

constexpr Member<Input> kMembers[] = {ResourceArnMember<Input>()};

}  // namespace

Result<std::string> ParseListTagsOfResourceInput(JsonValue root) {
  PJ_ASSIGN_OR_RETURN(Input input, ParseInput(root, kMembers));
  return std::move(input.arn);
}

void PrintListTagsOfResourceOutput(const ListTagsOutput& output, std::string& out) {
  ObjectWriter answer(out);
  AppendJsonArray(output.tags, answer.Name("Tags"), [&](const Tag& tag) {
    ObjectWriter entry(out);
    entry.String("Key", tag.key);
    entry.String("Value", tag.value);
  });
  if (output.next_token.has_value()) {
    answer.String("NextToken", *output.next_token);
  }
}

}  // namespace prejoin::wire
