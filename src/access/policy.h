// Policy documents in AWS's JSON.
#ifndef PREJOIN_ACCESS_POLICY_H_
#define PREJOIN_ACCESS_POLICY_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/condition.h"
#include "prejoin/result.h"

namespace prejoin::access {

enum class Effect { kAllow, kDeny };

// Names with `*` and `?`; `excluded`: NotAction, NotResource, NotPrincipal.
struct NameList {
  std::vector<std::string> names;
  bool excluded = false;
};

struct Statement {
  std::string id;  // Sid; may be empty.
  Effect effect = Effect::kDeny;
  NameList actions;
  NameList resources;
  std::optional<NameList> principals;  // For resource policies: ARNs, accounts or "*".
  std::vector<ConditionClause> conditions;
  bool has_variables = true;
  // A resource has a variable that AWS does not document: the statement then allows nothing, and a Deny does not look at its resources.
  bool has_unknown_resources = false;
};

enum class PolicyKind {
  kIdentity,  // Attached to a user, role, boundary or session; names no principals.
  kResource,  // Attached to a table or stream; names principals.
  kTrust,     // The trust policy of a role; names principals and covers that role only.
};

// The detail of an error about a document; its message is AWS's text for MalformedPolicyDocument, with what is wrong.
struct MalformedPolicy : ErrorDetail {};

struct Policy {
  std::string name;  // The name that its owner uses, for decisions that name it.
  std::vector<Statement> statements;

  // kValidation with a MalformedPolicy. Nothing is passed over: an element or operator that is not known could be one that denies.
  static Result<Policy> Parse(std::string_view document, PolicyKind kind, std::string name = "");
  // Checks that the document may be stored. AWS refuses more than what cannot be read, and so does this:
  // resources and principals that are no ARNs, actions without a service, condition keys that AWS does not document.
  static Status Check(std::string_view document, PolicyKind kind);
  // Denies everything: stands in for a stored document that cannot be read any more.
  static Policy DenyAll(std::string name);
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_POLICY_H_
