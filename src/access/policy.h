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
  std::optional<NameList> principals;  // Of resource policies: ARNs, accounts or "*".
  std::vector<ConditionClause> conditions;
  bool has_variables = true;
};

enum class PolicyKind {
  kIdentity,  // Of a user, role, boundary or session: says nothing about principals.
  kResource,  // Of a table or stream: says for whom.
};

struct Policy {
  std::string name;  // As its owner calls it, for decisions that name it.
  std::vector<Statement> statements;

  // kValidation with the place and what is wrong. Nothing is passed over: an element or operator that is not known could be one that denies.
  static Result<Policy> Parse(std::string_view document, PolicyKind kind, std::string name = "");
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_POLICY_H_
