#include "wire/members/resource_arn.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<UntagResourceInput> kUntagResourceMembers[] = {
    ResourceArnMember<UntagResourceInput>(),
    {"TagKeys",
     [](InputReader& reader, json::Value value, const Path& path,
        UntagResourceInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadStrings(value, path, out.tag_keys));
       if (out.tag_keys.empty()) {
         reader.Refuse(Order::kRequest, "Atleast one Tag Key needs to be provided as Input.");
       }
       for (const std::string& key : out.tag_keys) {
         if (key.empty()) {
           reader.Refuse(Order::kRequest, "The Tag Key provided is invalid, Key: ");
           break;
         }
       }
       return {};
     },
     Presence::kRequired},
};

}  // namespace

Result<UntagResourceInput> ParseUntagResourceInput(const RequestBody& request) {
  return ParseInput(request, kUntagResourceMembers);
}

}  // namespace prejoin::wire
