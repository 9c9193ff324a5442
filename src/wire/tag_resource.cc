#include "wire/operations.h"
#include "wire/resource_arn.h"
#include "wire/table_members.h"

namespace prejoin::wire {
namespace {

constexpr Member<TagResourceInput> kMembers[] = {
    ResourceArnMember<TagResourceInput>(),
    {"Tags",
     [](InputReader& reader, JsonValue value, const Path& path, TagResourceInput& out) -> Status {
       PJ_RETURN_IF_ERROR(ReadTags(reader, value, path, out.tags));
       if (out.tags.empty()) {
         reader.Refuse(Order::kRequest, "Atleast one Tag needs to be provided as Input.");
       }
       return {};
     },
     Presence::kRequired},
};

}  // namespace

Result<TagResourceInput> ParseTagResourceInput(JsonValue root) {
  return ParseInput(root, kMembers);
}

}  // namespace prejoin::wire
