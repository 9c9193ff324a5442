#include "access/simulate.h"

#include <absl/time/time.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "json/writer.h"

namespace prejoin::access {
namespace {

std::string NameOf(const Policy& policy, const Statement& statement) {
  if (!statement.id.empty()) {
    return statement.id;
  }
  const auto place = &statement - policy.statements.data();
  return "statement " + std::to_string(place + 1);
}

std::string Listed(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? "" : ", ") + text;
  }
  return out.empty() ? "nothing" : out;
}

std::string MissingCondition(const ConditionClause& clause, const AccessRequest& request) {
  const auto* values = request.keys.Find(clause.key);
  if (!clause.is_known) {
    return "its condition on " + clause.key +
           " names a key or variable that AWS does not document: it never holds";
  }
  return "its condition on " + clause.key + " wants " + Listed(clause.values) +
         ", the request has " + (values == nullptr ? "no such key" : Listed(*values));
}

// The lack of a statement that would say Allow.
std::optional<std::string> Lacks(const Policy& policy, const Statement& statement,
                                 const AccessRequest& request) {
  const StatementFit fit = FitOf(statement, request);
  const int wrong = (fit.action ? 0 : 1) + (fit.resource ? 0 : 1) + (fit.failed == nullptr ? 0 : 1);
  // Statements about something else altogether are no help.
  if (statement.effect != Effect::kAllow || wrong == 0 || (!fit.action && !fit.resource)) {
    return std::nullopt;
  }
  std::string text = policy.name + ", " + NameOf(policy, statement) + ": ";
  if (!fit.action) {
    return text + "add the action " + request.action + " (it has " +
           Listed(statement.actions.names) + ")";
  }
  if (!fit.resource) {
    return text + "add the resource " + request.resource + " (it has " +
           Listed(statement.resources.names) + ")";
  }
  return text + MissingCondition(*fit.failed, request);
}

std::vector<std::string> AdviceOn(const Policies& policies, const AccessRequest& request,
                                  const Decision& decision) {
  std::vector<std::string> advice;
  if (decision.verdict == Verdict::kDenied) {
    advice.push_back(decision.policy->name + ", " + NameOf(*decision.policy, *decision.statement) +
                     " denies it, whatever else allows it");
    return advice;
  }
  const std::span<const Policy> asked = decision.verdict == Verdict::kNotInBoundary
                                            ? std::span(policies.boundary, 1)
                                            : policies.identity;
  for (const Policy& policy : asked) {
    for (const Statement& statement : policy.statements) {
      if (auto lacks = Lacks(policy, statement, request)) {
        advice.push_back(*std::move(lacks));
      }
    }
  }
  if (advice.empty()) {
    advice.push_back("no statement speaks of this action or resource: add one that allows " +
                     request.action + " on " + request.resource);
  }
  return advice;
}

std::string_view VerdictWords(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAllowed:
      return "allowed";
    case Verdict::kDenied:
      return "denied by a statement";
    case Verdict::kNotAllowed:
      return "not allowed by any statement";
    case Verdict::kNotInBoundary:
      return "not allowed by the boundary";
    case Verdict::kNotInSession:
      return "not allowed by the session policy";
  }
  return "";
}

}  // namespace

Simulation Simulate(const ReadyIdentity& identity, const SimulatedRequest& wanted,
                    const std::string& account) {
  AccessRequest request{
      .action = wanted.action,
      .resource = wanted.resource,
      .caller = {.arn = IdentityArn(account, identity.identity.kind, identity.identity.name),
                 .role_arn = "",
                 .account = account},
      .keys = {}};
  request.keys.Set("aws:PrincipalArn", request.caller.arn);
  request.keys.Set("aws:PrincipalAccount", account);
  if (identity.identity.kind == IdentityKind::kUser && !identity.identity.name.empty()) {
    request.keys.Set("aws:username", identity.identity.name);
  }
  for (const auto& [name, value] : identity.identity.tags) {
    request.keys.Set("aws:PrincipalTag/" + name, value);
  }
  std::map<std::string, std::vector<std::string>> context;
  for (const auto& [name, value] : wanted.context) {
    context[name].push_back(value);
  }
  for (auto& [name, values] : context) {
    request.keys.Set(name, std::move(values));
  }
  Policies policies{.identity = identity.policies};
  policies.boundary = identity.boundary ? &*identity.boundary : nullptr;
  const Decision decision = Decide(policies, request);
  Simulation simulation{.allowed = decision.allowed(), .verdict = decision.verdict};
  if (decision.policy != nullptr) {
    simulation.policy = decision.policy->name;
  }
  if (decision.statement != nullptr) {
    simulation.statement = NameOf(*decision.policy, *decision.statement);
  }
  if (!decision.allowed()) {
    simulation.advice = AdviceOn(policies, request, decision);
  }
  return simulation;
}

Result<Simulation> SimulateDocument(std::string_view document, const SimulatedRequest& request,
                                    const std::string& account) {
  ReadyIdentity identity;
  PJ_ASSIGN_OR_RETURN(Policy policy, Policy::Parse(document, PolicyKind::kIdentity, "policy"));
  identity.policies.push_back(std::move(policy));
  return Simulate(identity, request, account);
}

std::string PrintText(const Simulation& simulation) {
  std::string out(VerdictWords(simulation.verdict));
  if (!simulation.statement.empty()) {
    out += " (" + simulation.policy + ", " + simulation.statement + ")";
  }
  out += "\n";
  for (const std::string& line : simulation.advice) {
    out += "  " + line + "\n";
  }
  return out;
}

std::string PrintJson(const Simulation& simulation) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.Bool("allowed", simulation.allowed);
    object.String("decision", VerdictWords(simulation.verdict));
    object.String("policy", simulation.policy);
    object.String("statement", simulation.statement);
    std::string& list = object.Name("advice");
    list += '[';
    for (std::size_t i = 0; i < simulation.advice.size(); ++i) {
      list += i == 0 ? "" : ",";
      json::AppendString(simulation.advice[i], list);
    }
    list += ']';
  }
  return out;
}

std::string UtcText(std::int64_t ms) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixMillis(ms), absl::UTCTimeZone());
}

}  // namespace prejoin::access
