// The decision about one request, as AWS comes to it within one account.
//
//   1. A Deny that matches, in whichever policy, ends it.
//   2. A resource policy that allows the caller itself (its user, or its session) or everybody ends it too.
//   3. Else identity policies, or a resource policy that names the role, must allow it. One that names the account delegates: the account's
//      own policies, which are the identity's, must allow it.
//   4. The permission boundary, if there is one, and the session policy, if there is one, must allow it as well.
//
// A role's trust policy is a resource policy that has to allow what it is asked about, whatever the others say: TrustOf comes before Decide.
#ifndef PREJOIN_ACCESS_DECIDE_H_
#define PREJOIN_ACCESS_DECIDE_H_

#include <span>
#include <string>
#include <string_view>

#include "access/condition.h"
#include "access/policy.h"

namespace prejoin::access {

struct Caller {
  std::string
      arn;  // "arn:aws:iam::000000000000:user/ann", or of a session "arn:aws:sts::000000000000:assumed-role/Reader/s1".
  std::string role_arn;  // For a session: "arn:aws:iam::000000000000:role/Reader"; else empty.
  std::string account;
  std::string id = "";  // The unique id of the user, or of a session's role: "AIDA…", "AROA…".
  // True if a permission boundary is attached. A Deny with NotPrincipal then applies, whoever it names.
  bool has_boundary = false;
};

struct AccessRequest {
  std::string action;    // "dynamodb:GetItem"
  std::string resource;  // An ARN.
  Caller caller;
  ConditionKeys keys;
};

// The same, borrowed.
struct AccessQuestion {
  std::string_view action;
  std::string_view resource;
  const Caller& caller;
  const ConditionKeys& keys;

  AccessQuestion(std::string_view action_asked, std::string_view resource_asked,
                 const Caller& asking, const ConditionKeys& known)
      : action(action_asked), resource(resource_asked), caller(asking), keys(known) {}
  AccessQuestion(const AccessRequest& request)  // Implicit: a request is a question.
      : AccessQuestion(request.action, request.resource, request.caller, request.keys) {}
};

// The policies that apply. Borrowed for the call.
struct Policies {
  std::span<const Policy> identity;
  const Policy* boundary = nullptr;
  const Policy* session = nullptr;
  const Policy* resource = nullptr;
};

enum class Verdict {
  kAllowed,
  kDenied,      // Denied by a statement.
  kNotAllowed,  // No statement allows it.
  kNotInBoundary,
  kNotInSession,
};

struct Decision {
  Verdict verdict = Verdict::kNotAllowed;
  // The policy whose statement decided; null and empty where no statement matched. Borrowed from the policies.
  const Policy* policy = nullptr;
  const Statement* statement = nullptr;

  bool allowed() const { return verdict == Verdict::kAllowed; }
};

Decision Decide(const Policies& policies, const AccessQuestion& request);

// The say of a role's trust policy, which may be null: kAllowed, kDenied or kNotAllowed.
Decision TrustOf(const Policy* trust, const AccessQuestion& request);

// How far a statement matches a request, for explanations.
struct StatementFit {
  bool principal = true;
  bool action = false;
  bool resource = false;
  const ConditionClause* failed = nullptr;  // The first condition that does not hold.

  bool fits() const { return principal && action && resource && failed == nullptr; }
};
StatementFit FitOf(const Statement& statement, const AccessQuestion& request);

// Returns true if the statement applies to the request, whatever its effect is.
bool Matches(const Statement& statement, const AccessQuestion& request);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_DECIDE_H_
