// PutResourcePolicy, GetResourcePolicy and DeleteResourcePolicy.
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/resource_arn.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr std::size_t kPolicyBytesMax = 20 * 1024;

template <class T>
constexpr Member<T> ExpectedRevisionMember() {
  return TextField<&T::expected_revision_id, LengthLimits{1, 255}>("ExpectedRevisionId");
}

constexpr Member<PutResourcePolicyInput> kPutPolicyMembers[] = {
    ResourceArnMember<PutResourcePolicyInput>(),
    {"Policy",
     [](InputReader& reader, json::Value value, const Path&,
        PutResourcePolicyInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.policy));
       if (out.policy.size() > kPolicyBytesMax) {
         reader.Refuse(Order::kRequest,
                       "One or more parameter values were invalid: Maximum policy size of 20480 "
                       "bytes exceeded");
       } else if (out.policy == "null") {
         reader.Refuse(Order::kRequest,
                       "One or more parameter values were invalid: Invalid policy document: This "
                       "text appears not to be a policy");
       } else if (!json::IsObject(out.policy)) {
         reader.Refuse(Order::kRequest,
                       "One or more parameter values were invalid: Invalid policy document: This "
                       "policy contains invalid Json");
       }
       return {};
     },
     Presence::kRequired},
    ExpectedRevisionMember<PutResourcePolicyInput>(),
};

struct GetInput {
  std::string arn;
};
constexpr Member<GetInput> kGetPolicyMembers[] = {ResourceArnMember<GetInput>()};

constexpr Member<DeleteResourcePolicyInput> kDeletePolicyMembers[] = {
    ResourceArnMember<DeleteResourcePolicyInput>(),
    ExpectedRevisionMember<DeleteResourcePolicyInput>(),
};

}  // namespace

Result<PutResourcePolicyInput> ParsePutResourcePolicyInput(const RequestBody& request) {
  return ParseInput(request, kPutPolicyMembers);
}

void PrintPutResourcePolicyOutput(const std::string& revision_id, std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("RevisionId", revision_id);
}

Result<std::string> ParseGetResourcePolicyInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(GetInput input, ParseInput(request, kGetPolicyMembers));
  return std::move(input.arn);
}

void PrintGetResourcePolicyOutput(const ResourcePolicy& output, std::string& out) {
  json::ObjectWriter answer(out);
  answer.String("Policy", output.document);
  answer.String("RevisionId", output.revision_id);
}

Result<DeleteResourcePolicyInput> ParseDeleteResourcePolicyInput(const RequestBody& request) {
  return ParseInput(request, kDeletePolicyMembers);
}

void PrintDeleteResourcePolicyOutput(const std::string& revision_id, std::string& out) {
  json::ObjectWriter answer(out);
  if (!revision_id.empty()) {
    answer.String("RevisionId", revision_id);
  }
}

}  // namespace prejoin::wire
