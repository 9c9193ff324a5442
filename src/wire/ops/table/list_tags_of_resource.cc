#include "json/writer.h"
#include "wire/members/resource_arn.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct Input {
  std::string arn;
};

// All tags fit into one answer, so no answer has a token. AWS says the same of its own ("does not support
// pagination at the API level"), and a token that is sent all the same changes nothing.
constexpr Member<Input> kListTagsOfResourceMembers[] = {
    ResourceArnMember<Input>(),
    {"NextToken",
     [](InputReader& reader, json::Value value, const Path&, Input&) {
       std::optional<std::string> unused;
       return reader.ReadString(value, unused);
     }},
};

}  // namespace

Result<std::string> ParseListTagsOfResourceInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(Input input, ParseInput(request, kListTagsOfResourceMembers));
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
