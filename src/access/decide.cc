#include "access/decide.h"

#include <algorithm>
#include <optional>

#include "access/pattern.h"

namespace prejoin::access {
namespace {

bool MatchesAny(const NameList& list, const Statement& statement, const AccessQuestion& request,
                std::string_view text, LetterCase letters) {
  const auto variable = [&](std::string_view name) -> std::optional<std::string> {
    const auto* values = request.keys.Find(name);
    return values != nullptr && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
  };
  bool lacks_value = false;
  const bool found = std::ranges::any_of(list.names, [&](const std::string& name) {
    if (name == "*") {
      return true;
    }
    if (!statement.has_variables || name.find('$') == std::string::npos) {
      return Pattern::Matches(name, text, letters);
    }
    const auto pattern = Pattern::Fill(name, variable);
    lacks_value = lacks_value || !pattern;
    return pattern && pattern->Matches(text, letters);
  });
  // "All but what belongs to the caller" says nothing about a caller without the value: nothing is allowed, everything denied.
  if (list.excluded && !found && lacks_value) {
    return statement.effect == Effect::kDeny;
  }
  return found != list.excluded;
}

bool MatchesResource(const Statement& statement, const AccessQuestion& request) {
  if (statement.has_unknown_resources) {
    return statement.effect == Effect::kDeny;
  }
  return MatchesAny(statement.resources, statement, request, request.resource,
                    LetterCase::kMatters);
}

bool ClauseHolds(const ConditionClause& clause, const Statement& statement,
                 const AccessQuestion& request) {
  const bool is_deny = statement.effect == Effect::kDeny;
  return clause.is_known ? Holds(clause, request.keys, is_deny ? Doubt::kHolds : Doubt::kFails)
                         : is_deny;
}

// The grantee of a resource policy: the more specific it is, the fewer other policies must allow the request.
enum class Grant {
  kNone,
  kDelegated,  // The account: its own policies decide.
  kRole,
  kCaller,  // The user, or the session, itself; or everybody.
};

Grant MatchPrincipal(const Statement& statement, const Caller& caller) {
  const NameList& principals = *statement.principals;
  const auto names = [&](std::string_view wanted) {
    return !wanted.empty() && std::ranges::find(principals.names, wanted) != principals.names.end();
  };
  const bool is_session = !caller.role_arn.empty();
  const bool names_caller = names(caller.arn) || (!is_session && names(caller.id));
  const bool names_role = is_session && (names(caller.role_arn) || names(caller.id));
  const bool names_account = names(caller.account);
  if (!principals.excluded) {
    return names_caller || names("*") ? Grant::kCaller
           : names_role               ? Grant::kRole
           : names_account            ? Grant::kDelegated
                                      : Grant::kNone;
  }
  // AWS's rule: an account that is not named is denied together with its users, and naming it excuses none of them. A caller escapes the
  // Deny only if the list has its account, its role and itself. An Allow, which AWS no longer accepts, leaves out whoever is named at all.
  const bool names_all =
      names("*") || (names_account && names_caller && (!is_session || names_role));
  const bool is_left_out = statement.effect == Effect::kDeny
                               ? names_all && !caller.has_boundary
                               : names("*") || names_caller || names_role || names_account;
  return is_left_out ? Grant::kNone : Grant::kRole;
}

bool MatchesPrincipal(const Statement& statement, const Caller& caller) {
  return !statement.principals || MatchPrincipal(statement, caller) != Grant::kNone;
}

// The first statement that allows or denies the request; of a resource policy, one whose principals are granted at least `grant`.
const Statement* FindStatement(const Policy* policy, Effect effect, const AccessQuestion& request,
                               Grant grant = Grant::kDelegated) {
  if (policy == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(policy->statements, [&](const Statement& statement) {
    return statement.effect == effect && Matches(statement, request) &&
           (!statement.principals || MatchPrincipal(statement, request.caller) >= grant);
  });
  return found == policy->statements.end() ? nullptr : &*found;
}

}  // namespace

bool Matches(const Statement& statement, const AccessQuestion& request) {
  return MatchesPrincipal(statement, request.caller) &&
         MatchesAny(statement.actions, statement, request, request.action, LetterCase::kIgnored) &&
         MatchesResource(statement, request) &&
         std::ranges::all_of(statement.conditions, [&](const ConditionClause& clause) {
           return ClauseHolds(clause, statement, request);
         });
}

StatementFit FitOf(const Statement& statement, const AccessQuestion& request) {
  StatementFit fit;
  fit.principal = MatchesPrincipal(statement, request.caller);
  fit.action =
      MatchesAny(statement.actions, statement, request, request.action, LetterCase::kIgnored);
  fit.resource = MatchesResource(statement, request);
  const auto failed = std::ranges::find_if(
      statement.conditions,
      [&](const ConditionClause& clause) { return !ClauseHolds(clause, statement, request); });
  fit.failed = failed == statement.conditions.end() ? nullptr : &*failed;
  return fit;
}

Decision Decide(const Policies& policies, const AccessQuestion& request) {
  for (const Policy& policy : policies.identity) {
    if (const Statement* denied = FindStatement(&policy, Effect::kDeny, request)) {
      return {Verdict::kDenied, &policy, denied};
    }
  }
  for (const Policy* policy : {policies.boundary, policies.session, policies.resource}) {
    if (const Statement* denied = FindStatement(policy, Effect::kDeny, request)) {
      return {Verdict::kDenied, policy, denied};
    }
  }
  if (const Statement* personal =
          FindStatement(policies.resource, Effect::kAllow, request, Grant::kCaller)) {
    return {Verdict::kAllowed, policies.resource, personal};
  }
  Decision decision;
  for (const Policy& policy : policies.identity) {
    if (const Statement* allowed = FindStatement(&policy, Effect::kAllow, request)) {
      decision = {Verdict::kAllowed, &policy, allowed};
      break;
    }
  }
  if (const Statement* allowed =
          decision.allowed()
              ? nullptr
              : FindStatement(policies.resource, Effect::kAllow, request, Grant::kRole)) {
    decision = {Verdict::kAllowed, policies.resource, allowed};
  }
  if (!decision.allowed()) {
    return decision;
  }
  if (policies.boundary != nullptr &&
      FindStatement(policies.boundary, Effect::kAllow, request) == nullptr) {
    return {Verdict::kNotInBoundary, policies.boundary};
  }
  if (policies.session != nullptr &&
      FindStatement(policies.session, Effect::kAllow, request) == nullptr) {
    return {Verdict::kNotInSession, policies.session};
  }
  return decision;
}

Decision TrustOf(const Policy* trust, const AccessQuestion& request) {
  if (const Statement* denied = FindStatement(trust, Effect::kDeny, request)) {
    return {Verdict::kDenied, trust, denied};
  }
  const Statement* allowed = FindStatement(trust, Effect::kAllow, request);
  return allowed != nullptr ? Decision{Verdict::kAllowed, trust, allowed} : Decision{};
}

}  // namespace prejoin::access
