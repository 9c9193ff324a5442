#include "wire/operations.h"
#include "wire/resource_arn.h"

namespace prejoin::wire {
namespace {

constexpr Member<UntagResourceInput> kMembers[] = {
    ResourceArnMember<UntagResourceInput>(),
    {"TagKeys",
     [](InputReader& reader, JsonValue value, const Path& path, UntagResourceInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadStrings(value, path, out.tag_keys));
       if (out.tag_keys.empty()) {
         reader.Refuse(Order::kRequest, "Atleast one Tag Key needs to be provided as Input.");
       }
       return {};
     },
     Presence::kRequired},
};

}  // namespace

Result<UntagResourceInput> ParseUntagResourceInput(JsonValue root) {
  return ParseInput(root, kMembers);
}

}  // namespace prejoin::wire
