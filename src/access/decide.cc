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
  const bool found = std::ranges::any_of(list.names, [&](const std::string& name) {
    if (name == "*") {
      return true;
    }
    if (!statement.has_variables || name.find('$') == std::string::npos) {
      return Pattern::Matches(name, text, letters);
    }
    const auto pattern = Pattern::Fill(name, variable);
    return pattern && pattern->Matches(text, letters);
  });
  return found != list.excluded;
}

enum class PrincipalMatch { kNone, kAccountOrRole, kCaller };

// The principals of a resource policy. `*` and NotPrincipal mean everybody in the account, not the caller in person.
PrincipalMatch MatchPrincipal(const NameList& principals, const Caller& caller) {
  const auto names = [&](std::string_view wanted) {
    return !wanted.empty() && std::ranges::find(principals.names, wanted) != principals.names.end();
  };
  const bool wide = names("*") || names(caller.account) || names(caller.role_arn);
  if (principals.excluded) {
    return wide || names(caller.arn) ? PrincipalMatch::kNone : PrincipalMatch::kAccountOrRole;
  }
  return names(caller.arn) ? PrincipalMatch::kCaller
         : wide            ? PrincipalMatch::kAccountOrRole
                           : PrincipalMatch::kNone;
}

const Statement* FindStatement(const Policy* policy, Effect effect, const AccessQuestion& request) {
  if (policy == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(policy->statements, [&](const Statement& statement) {
    return statement.effect == effect && Matches(statement, request);
  });
  return found == policy->statements.end() ? nullptr : &*found;
}

// The caller in person, by the resource policy.
const Statement* FindPersonalAllow(const Policy* policy, const AccessQuestion& request) {
  if (policy == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(policy->statements, [&](const Statement& statement) {
    return statement.effect == Effect::kAllow && Matches(statement, request) &&
           MatchPrincipal(*statement.principals, request.caller) == PrincipalMatch::kCaller;
  });
  return found == policy->statements.end() ? nullptr : &*found;
}

}  // namespace

bool Matches(const Statement& statement, const AccessQuestion& request) {
  if (statement.principals &&
      MatchPrincipal(*statement.principals, request.caller) == PrincipalMatch::kNone) {
    return false;
  }
  return MatchesAny(statement.actions, statement, request, request.action, LetterCase::kIgnored) &&
         MatchesAny(statement.resources, statement, request, request.resource,
                    LetterCase::kMatters) &&
         std::ranges::all_of(statement.conditions, [&](const ConditionClause& clause) {
           return Holds(clause, request.keys);
         });
}

StatementFit FitOf(const Statement& statement, const AccessQuestion& request) {
  StatementFit fit;
  fit.principal = !statement.principals ||
                  MatchPrincipal(*statement.principals, request.caller) != PrincipalMatch::kNone;
  fit.action =
      MatchesAny(statement.actions, statement, request, request.action, LetterCase::kIgnored);
  fit.resource =
      MatchesAny(statement.resources, statement, request, request.resource, LetterCase::kMatters);
  const auto failed = std::ranges::find_if(
      statement.conditions,
      [&](const ConditionClause& clause) { return !Holds(clause, request.keys); });
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
  if (const Statement* personal = FindPersonalAllow(policies.resource, request)) {
    return {Verdict::kAllowed, policies.resource, personal};
  }
  Decision decision;
  for (const Policy& policy : policies.identity) {
    if (const Statement* allowed = FindStatement(&policy, Effect::kAllow, request)) {
      decision = {Verdict::kAllowed, &policy, allowed};
      break;
    }
  }
  if (const Statement* allowed = decision.allowed()
                                     ? nullptr
                                     : FindStatement(policies.resource, Effect::kAllow, request)) {
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

}  // namespace prejoin::access
