// The rules for documents that are about to be stored, in the texts that IAM has for them. A document that was stored before a rule existed
// is read by Policy::Parse alone, and decides as safely: a resource that is no ARN matches nothing, an unknown condition key never helps.
#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "access/condition_keys.h"
#include "access/policy.h"
#include "json/reader.h"

namespace prejoin::access {
namespace {

Error Refused(std::string message) {
  return Error{ErrorCode::kValidation, std::move(message),
               std::make_shared<const MalformedPolicy>()};
}

bool IsArn(std::string_view text) {
  constexpr int kColons = 5;  // arn:partition:service:region:account:resource
  return text.starts_with("arn:") && std::ranges::count(text, ':') >= kColons;
}

bool IsAlphanumeric(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

// An account, "*", the ARN of a user, role or session, or the id of one. Wildcards inside of it are not allowed by AWS either.
bool IsPrincipal(std::string_view name) {
  constexpr std::size_t kAccountDigits = 12;
  constexpr std::size_t kIdLettersMin = 16;
  if (name == "*") {
    return true;
  }
  if (name.starts_with("arn:aws:iam::") || name.starts_with("arn:aws:sts::")) {
    return IsArn(name) && name.find_first_of("*?") == std::string_view::npos;
  }
  return IsAlphanumeric(name) && (name.size() >= kIdLettersMin || name.size() == kAccountDigits);
}

Status CheckActions(const Statement& statement, PolicyKind kind) {
  for (const std::string& action : statement.actions.names) {
    const auto colon = action.find(':');
    if (action != "*" && (colon == std::string::npos || colon == 0 || colon + 1 == action.size())) {
      return Refused("Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.");
    }
    if (kind == PolicyKind::kTrust && !action.starts_with("sts:")) {
      return Refused("AssumeRole policy may only specify STS AssumeRole actions.");
    }
  }
  return {};
}

Status CheckStatement(const Statement& statement, PolicyKind kind) {
  PJ_RETURN_IF_ERROR(CheckActions(statement, kind));
  for (const std::string& resource : statement.resources.names) {
    if (resource != "*" && kind == PolicyKind::kTrust) {
      return Refused("Has prohibited field Resource");
    }
    if (resource != "*" && !IsArn(resource)) {
      return Refused("Resource " + resource + " must be in ARN format or \"*\".");
    }
  }
  if (statement.has_variables && !HaveOnly(statement.resources.names, IsStorableKey)) {
    return Refused("A resource has a policy variable that AWS does not document.");
  }
  if (statement.principals && statement.principals->excluded &&
      (kind == PolicyKind::kTrust || statement.effect == Effect::kAllow)) {
    return Refused(kind == PolicyKind::kTrust ? "Has prohibited field NotPrincipal"
                                              : "NotPrincipal is not supported with Allow.");
  }
  if (statement.principals) {
    for (const std::string& name : statement.principals->names) {
      if (!IsPrincipal(name) && !name.starts_with("Service:") && !name.starts_with("Federated:") &&
          !name.starts_with("CanonicalUser:")) {
        return Refused("Invalid principal in policy: \"AWS\":\"" + name + "\"");
      }
    }
  }
  for (const ConditionClause& clause : statement.conditions) {
    if (!IsStorableKey(clause.key)) {
      return Refused("Invalid condition key in policy: " + clause.key +
                     " is not a key that AWS documents");
    }
    if (clause.has_variables && !HaveOnly(clause.values, IsStorableKey)) {
      return Refused("The condition on " + clause.key +
                     " has a policy variable that AWS does not document.");
    }
    if (clause.values.empty()) {
      return Refused("Syntax errors in policy. The condition on " + clause.key + " has no value.");
    }
  }
  return {};
}

}  // namespace

Status Policy::Check(std::string_view document, PolicyKind kind) {
  PJ_ASSIGN_OR_RETURN(const Policy policy, Parse(document, kind));
  if (policy.statements.empty()) {
    return Refused("Syntax errors in policy. Statement is empty.");
  }
  std::set<std::string_view> ids;
  for (const Statement& statement : policy.statements) {
    if (kind == PolicyKind::kIdentity && !IsAlphanumeric(statement.id)) {
      return Refused(
          "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular "
          "expression [0-9A-Za-z]*");
    }
    if (!statement.id.empty() && !ids.insert(statement.id).second) {
      return Refused("Statement IDs (SID) in a single policy must be unique.");
    }
    PJ_RETURN_IF_ERROR(CheckStatement(statement, kind));
  }
  return {};
}

}  // namespace prejoin::access
