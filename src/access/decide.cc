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
  return clause.is_known ? Holds(clause, request.keys) : statement.effect == Effect::kDeny;
}

// The principals of a resource policy. NotPrincipal means everybody else in the account, not the caller in person.
Grant MatchPrincipal(const NameList& principals, const Caller& caller) {
  const auto names = [&](std::string_view wanted) {
    return !wanted.empty() && std::ranges::find(principals.names, wanted) != principals.names.end();
  };
  const Grant grant = names(caller.arn)        ? Grant::kCaller
                      : names(caller.role_arn) ? Grant::kRole
                      : names("*")             ? Grant::kEverybody
                      : names(caller.account)  ? Grant::kDelegated
                                               : Grant::kNone;
  if (!principals.excluded) {
    return grant;
  }
  return grant == Grant::kNone ? Grant::kEverybody : Grant::kNone;
}

// The first statement that allows or denies the request; of a resource policy, one whose principals are granted at least `grant`.
const Statement* FindStatement(const Policy* policy, Effect effect, const AccessQuestion& request,
                               Grant grant = Grant::kDelegated) {
  if (policy == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(policy->statements, [&](const Statement& statement) {
    return statement.effect == effect && Matches(statement, request) &&
           (!statement.principals ||
            MatchPrincipal(*statement.principals, request.caller) >= grant);
  });
  return found == policy->statements.end() ? nullptr : &*found;
}

}  // namespace

bool Matches(const Statement& statement, const AccessQuestion& request) {
  if (statement.principals &&
      MatchPrincipal(*statement.principals, request.caller) == Grant::kNone) {
    return false;
  }
  return MatchesAny(statement.actions, statement, request, request.action, LetterCase::kIgnored) &&
         MatchesResource(statement, request) &&
         std::ranges::all_of(statement.conditions, [&](const ConditionClause& clause) {
           return ClauseHolds(clause, statement, request);
         });
}

StatementFit FitOf(const Statement& statement, const AccessQuestion& request) {
  StatementFit fit;
  fit.principal = !statement.principals ||
                  MatchPrincipal(*statement.principals, request.caller) != Grant::kNone;
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
              : FindStatement(policies.resource, Effect::kAllow, request, Grant::kEverybody)) {
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

Trust TrustOf(const Policy* trust, const AccessQuestion& request) {
  if (const Statement* denied = FindStatement(trust, Effect::kDeny, request)) {
    return {Grant::kNone, {Verdict::kDenied, trust, denied}};
  }
  for (const Grant grant : {Grant::kCaller, Grant::kRole, Grant::kEverybody, Grant::kDelegated}) {
    if (const Statement* allowed = FindStatement(trust, Effect::kAllow, request, grant)) {
      return {grant, {Verdict::kAllowed, trust, allowed}};
    }
  }
  return {};
}

}  // namespace prejoin::access
