// From the "Service Authorization Reference" (DynamoDB, IAM, STS) and "AWS global condition context keys".
#include "access/condition_keys.h"

#include <absl/strings/match.h>

#include <algorithm>
#include <optional>

#include "access/pattern.h"

namespace prejoin::access {
namespace {

// Keys that end in a slash continue with the name of a tag or provider.
constexpr std::string_view kDocumentedKeys[] = {
    // Keys of the principal and its session.
    "aws:AssumedRoot",
    "aws:ChatbotSourceArn",
    "aws:Ec2InstanceSourcePrivateIPv4",
    "aws:Ec2InstanceSourceVpc",
    "aws:FederatedProvider",
    "aws:MultiFactorAuthAge",
    "aws:MultiFactorAuthPresent",
    "aws:PrincipalAccount",
    "aws:PrincipalArn",
    "aws:PrincipalIsAWSService",
    "aws:PrincipalOrgID",
    "aws:PrincipalOrgPaths",
    "aws:PrincipalServiceName",
    "aws:PrincipalServiceNamesList",
    "aws:PrincipalTag/",
    "aws:PrincipalType",
    "aws:SignInSessionArn",
    "aws:SourceIdentity",
    "aws:TokenIssueTime",
    "aws:userid",
    "aws:username",
    // Keys of the network.
    "aws:SourceIp",
    "aws:SourceVpc",
    "aws:SourceVpcArn",
    "aws:SourceVpce",
    "aws:VpceAccount",
    "aws:VpceOrgID",
    "aws:VpceOrgPaths",
    "aws:VpcSourceIp",
    // Keys of the resource.
    "aws:ResourceAccount",
    "aws:ResourceOrgID",
    "aws:ResourceOrgPaths",
    "aws:ResourceTag/",
    // Keys of the request.
    "aws:CalledVia",
    "aws:CalledViaAWSMCP",
    "aws:CalledViaFirst",
    "aws:CalledViaLast",
    "aws:CurrentTime",
    "aws:EpochTime",
    "aws:referer",
    "aws:RequestedRegion",
    "aws:RequestTag/",
    "aws:SecureTransport",
    "aws:SourceAccount",
    "aws:SourceArn",
    "aws:SourceOrgID",
    "aws:SourceOrgPaths",
    "aws:TagKeys",
    "aws:UserAgent",
    "aws:ViaAWSMCPService",
    "aws:ViaAWSService",
    "dynamodb:Attributes",
    "dynamodb:EnclosingOperation",
    "dynamodb:FirstPartitionKeyValues",
    "dynamodb:FisActionId",
    "dynamodb:FisTargetArns",
    "dynamodb:FourthPartitionKeyValues",
    "dynamodb:FullTableScan",
    "dynamodb:LeadingKeys",
    "dynamodb:ReturnConsumedCapacity",
    "dynamodb:ReturnValues",
    "dynamodb:SecondPartitionKeyValues",
    "dynamodb:Select",
    "dynamodb:ThirdPartitionKeyValues",
    "iam:AssociatedResourceArn",
    "iam:AWSServiceName",
    "iam:DelegationDuration",
    "iam:DelegationRequestOwner",
    "iam:FIDO-certification",
    "iam:FIDO-FIPS-140-2-certification",
    "iam:FIDO-FIPS-140-3-certification",
    "iam:NotificationChannel",
    "iam:OrganizationsPolicyId",
    "iam:PassedToService",
    "iam:PermissionsBoundary",
    "iam:PolicyARN",
    "iam:RegisterSecurityKey",
    "iam:ResourceTag/",
    "iam:ServiceSpecificCredentialAgeDays",
    "iam:ServiceSpecificCredentialServiceName",
    "iam:TemplateArn",
    "sts:AWSServiceName",
    "sts:DurationSeconds",
    "sts:ExternalId",
    "sts:IdentityTokenAudience",
    "sts:RequestContext/",
    "sts:RequestContextProviders",
    "sts:RoleSessionName",
    "sts:SigningAlgorithm",
    "sts:SourceIdentity",
    "sts:TaskPolicyArn",
    "sts:TransitiveTagKeys",
};

constexpr std::string_view kServices[] = {"aws:", "dynamodb:", "iam:", "sts:", "prejoin:"};

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

bool IsDocumentedKey(std::string_view name) {
  return std::ranges::any_of(kDocumentedKeys, [&](std::string_view key) {
    return key.ends_with('/')
               ? name.size() > key.size() && absl::StartsWithIgnoreCase(View(name), View(key))
               : absl::EqualsIgnoreCase(View(name), View(key));
  });
}

bool IsStorableKey(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == name.size()) {
    return false;
  }
  const bool is_ours = std::ranges::any_of(kServices, [&](std::string_view service) {
    return absl::StartsWithIgnoreCase(View(name), View(service));
  });
  return !is_ours || IsDocumentedKey(name);
}

bool HaveOnly(std::span<const std::string> texts, bool (*is_kind)(std::string_view name)) {
  return std::ranges::all_of(texts, [&](const std::string& text) {
    // The values do not matter, only the names that are asked for.
    bool only = true;
    const auto note = [&](std::string_view name) -> std::optional<std::string> {
      only = only && is_kind(name);
      return "";
    };
    return Pattern::Fill(text, note) && only;
  });
}

}  // namespace prejoin::access
