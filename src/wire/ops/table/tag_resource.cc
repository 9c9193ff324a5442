#include "wire/members/resource_arn.h"
#include "wire/members/table_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<TagResourceInput> kTagResourceMembers[] = {
    ResourceArnMember<TagResourceInput>(),
    {"Tags",
     [](InputReader& reader, json::Value value, const Path& path, TagResourceInput& out) -> Status {
       PJ_RETURN_IF_ERROR(ReadTags(reader, value, path, out.tags));
       if (out.tags.empty()) {
         reader.Refuse(Order::kRequest, "Atleast one Tag needs to be provided as Input.");
       }
       return {};
     },
     Presence::kRequired},
};

}  // namespace

Result<TagResourceInput> ParseTagResourceInput(const RequestBody& request) {
  return ParseInput(request, kTagResourceMembers);
}

}  // namespace prejoin::wire
