#include "access/request_access.h"

#include <absl/time/time.h>

#include <algorithm>
#include <utility>

#include "engine/table/catalog.h"
#include "engine/table/table.h"
#include "engine/table/table_build.h"

namespace prejoin::access {
namespace {

constexpr std::size_t kResourcePoliciesMax = 1000;
// A request may ask for a hundred items; the audit log has room for all of them, and no more.
constexpr std::size_t kDecisionsMax = 200;

bool IsPartiql(std::string_view operation) {
  return operation == "ExecuteStatement" || operation == "BatchExecuteStatement" ||
         operation == "ExecuteTransaction";
}

bool IsTransaction(std::string_view operation) {
  return operation == "TransactGetItems" || operation == "TransactWriteItems" ||
         operation == "ExecuteTransaction";
}

bool IsWrite(engine::ItemAction action) {
  return action == engine::ItemAction::kPut || action == engine::ItemAction::kUpdate ||
         action == engine::ItemAction::kDelete;
}

std::string_view PartiqlAction(engine::ItemAction action) {
  switch (action) {
    case engine::ItemAction::kPut:
      return "PartiQLInsert";
    case engine::ItemAction::kUpdate:
      return "PartiQLUpdate";
    case engine::ItemAction::kDelete:
      return "PartiQLDelete";
    default:
      return "PartiQLSelect";
  }
}

std::string_view PlainAction(engine::ItemAction action) {
  switch (action) {
    case engine::ItemAction::kGet:
      return "GetItem";
    case engine::ItemAction::kQuery:
      return "Query";
    case engine::ItemAction::kScan:
      return "Scan";
    case engine::ItemAction::kPut:
      return "PutItem";
    case engine::ItemAction::kUpdate:
      return "UpdateItem";
    case engine::ItemAction::kDelete:
      return "DeleteItem";
    case engine::ItemAction::kCheck:
      break;
  }
  return "ConditionCheckItem";
}

// The part of an ARN behind ":table/"; empty if it is about something else.
std::string_view TablePart(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const auto at = arn.find(kTable);
  return at == std::string_view::npos ? std::string_view() : arn.substr(at + kTable.size());
}

const std::string* PolicyDocument(const engine::Table& table, std::string_view stream_label) {
  if (stream_label.empty()) {
    return table.resource_policy ? &table.resource_policy->document : nullptr;
  }
  const auto found = table.stream_policies.find(std::string(stream_label));
  return found == table.stream_policies.end() ? nullptr : &found->second.document;
}

// "name" in "name/stream/label"; the label if it is a stream's.
std::string_view StreamLabel(std::string_view table_part) {
  constexpr std::string_view kStream = "/stream/";
  const auto at = table_part.find(kStream);
  return at == std::string_view::npos ? std::string_view() : table_part.substr(at + kStream.size());
}

Error UnreadablePolicy() {
  return Error{ErrorCode::kAccessDenied,
               "The resource-based policy of the resource cannot be read; replace or delete it"};
}

}  // namespace

std::shared_ptr<const Policy> ResourcePolicies::Read(const std::string& document) {
  MutexLock lock(mutex_);
  if (const auto found = by_document_.find(document); found != by_document_.end()) {
    return found->second;
  }
  auto parsed = Policy::Parse(document, PolicyKind::kResource, "resource");
  auto policy = parsed ? std::make_shared<const Policy>(*std::move(parsed)) : nullptr;
  if (by_document_.size() >= kResourcePoliciesMax) {
    by_document_.clear();
  }
  by_document_.emplace(document, policy);
  return policy;
}

RequestAccess::RequestAccess(engine::Engine& engine, ResourcePolicies& resource_policies,
                             std::shared_ptr<const Principal> principal, RequestFacts facts,
                             Enforcement enforcement)
    : engine_(engine),
      resource_policies_(resource_policies),
      principal_(std::move(principal)),
      facts_(std::move(facts)),
      enforcement_(enforcement) {}

void RequestAccess::Begin(engine::RequestTerms terms) {
  terms_ = std::move(terms);
  passed_tables_.clear();
  decisions_.clear();
}

std::string RequestAccess::ActionOf(engine::ItemAction action) const {
  std::string_view name = PlainAction(action);
  if (IsPartiql(terms_.operation)) {
    name = PartiqlAction(action);
  } else if (terms_.operation == "BatchGetItem" || terms_.operation == "BatchWriteItem") {
    name = terms_.operation;
  }
  return "dynamodb:" + std::string(name);
}

void RequestAccess::AddCallerKeys(ConditionKeys& keys) const {
  const absl::Time now = absl::FromUnixMillis(engine_.clock().NowMs());
  const auto iso = [](absl::Time time) {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
  };
  const Principal& caller = *principal_;
  const bool is_role = !caller.caller.role_arn.empty();
  keys.Set("aws:PrincipalArn", is_role ? caller.caller.role_arn : caller.caller.arn);
  keys.Set("aws:PrincipalAccount", caller.caller.account);
  keys.Set("aws:PrincipalType", is_role ? "AssumedRole" : "User");
  keys.Set("aws:userid", caller.user_id);
  if (!caller.username.empty()) {
    keys.Set("aws:username", caller.username);
  }
  for (const auto& [name, value] : caller.tags) {
    keys.Set("aws:PrincipalTag/" + name, value);
  }
  if (caller.issued_ms) {
    keys.Set("aws:TokenIssueTime", iso(absl::FromUnixMillis(*caller.issued_ms)));
  }
  keys.Set("aws:CurrentTime", iso(now));
  keys.Set("aws:EpochTime", std::to_string(absl::ToUnixSeconds(now)));
  keys.Set("aws:SecureTransport", facts_.encrypted ? "true" : "false");
  keys.Set("aws:RequestedRegion", engine_.options().region);
  if (!facts_.source_ip.empty()) {
    keys.Set("aws:SourceIp", facts_.source_ip);
  }
  if (!facts_.user_agent.empty()) {
    keys.Set("aws:UserAgent", facts_.user_agent);
  }
}

void RequestAccess::AddItemKeys(const engine::ItemAccess& access, ConditionKeys& keys) const {
  if (!access.leading_keys.empty()) {
    keys.Set("dynamodb:LeadingKeys", access.leading_keys);
  }
  if (!access.attributes.empty()) {
    keys.Set("dynamodb:Attributes", access.attributes);
  }
  if (!access.select.empty()) {
    keys.Set("dynamodb:Select", std::string(access.select));
  }
  if (IsWrite(access.action)) {
    // An item that a failed condition shows is returned all the same.
    const bool shows = access.shows_item_on_failure &&
                       (terms_.return_values.empty() || terms_.return_values == "NONE");
    keys.Set("dynamodb:ReturnValues", shows                          ? "ALL_OLD"
                                      : terms_.return_values.empty() ? "NONE"
                                                                     : terms_.return_values);
  }
  if (!terms_.consumed_capacity.empty()) {
    keys.Set("dynamodb:ReturnConsumedCapacity", terms_.consumed_capacity);
  }
  if (IsTransaction(terms_.operation)) {
    keys.Set("dynamodb:EnclosingOperation", std::string(terms_.operation));
  }
  if (IsPartiql(terms_.operation) && !IsWrite(access.action)) {
    keys.Set("dynamodb:FullTableScan",
             access.action == engine::ItemAction::kScan ? "true" : "false");
  }
}

Status RequestAccess::CheckItems(const engine::ItemAccess& access) {
  std::string resource = access.table.description.arn;
  if (access.index != nullptr) {
    resource += "/index/" + access.index->name();
  }
  std::shared_ptr<const Policy> policy;
  if (const std::string* document = PolicyDocument(access.table, "")) {
    policy = resource_policies_.Read(*document);
    if (policy == nullptr) {
      return UnreadablePolicy();
    }
  }
  PJ_RETURN_IF_ERROR(Ask(ActionOf(access.action), std::move(resource), &access.table, policy.get(),
                         [&](ConditionKeys& keys) { AddItemKeys(access, keys); }));
  passed_tables_.insert(access.table.name());
  return {};
}

Status RequestAccess::CheckResource(std::string_view action, const std::string& arn) {
  std::string resource = arn;
  engine::TablePtr table;
  std::shared_ptr<const Policy> policy;
  if (const std::string_view part = TablePart(arn); !part.empty()) {
    // Whatever account and region the ARN names, it is our table that is meant.
    resource = engine::TableArn(engine_.options(), std::string(part));
    table = engine_.catalog().FindOrNull(std::string(part.substr(0, part.find('/'))));
    const std::string* document =
        table != nullptr ? PolicyDocument(*table, StreamLabel(part)) : nullptr;
    if (document != nullptr) {
      policy = resource_policies_.Read(*document);
      if (policy == nullptr && !action.ends_with("ResourcePolicy")) {
        return UnreadablePolicy();
      }
    }
  }
  return Ask("dynamodb:" + std::string(action), std::move(resource), table.get(), policy.get(),
             [](ConditionKeys&) {});
}

Error RequestAccess::Refusal(engine::ItemAction action, const std::string& table_name,
                             Error error) {
  const std::string_view part = TablePart(table_name);
  const std::string name(part.empty() ? std::string_view(table_name) : part);
  if (name.empty() || error.code == ErrorCode::kAccessDenied ||
      error.code == ErrorCode::kOverBudget || passed_tables_.contains(name)) {
    return error;
  }
  const std::string full = ActionOf(action);
  const Status allowed = CheckResource(std::string_view(full).substr(full.find(':') + 1),
                                       engine::TableArn(engine_.options(), name));
  return allowed ? error : allowed.error();
}

Status RequestAccess::CheckAction(const std::string& action, const std::string& resource) {
  return Ask(action, resource, nullptr, nullptr, [](ConditionKeys&) {});
}

Status RequestAccess::CheckAssumeRole(const ReadyIdentity& role) {
  const std::string role_arn =
      IdentityArn(principal_->caller.account, IdentityKind::kRole, role.identity.name);
  AccessRequest request{
      .action = "sts:AssumeRole", .resource = role_arn, .caller = principal_->caller, .keys = {}};
  AddCallerKeys(request.keys);
  const Policy* const trust = role.trust ? &*role.trust : nullptr;
  const Decision trusted = Decide({.resource = trust}, request);
  if (!trusted.allowed()) {
    return Denied(request, trusted, trust);
  }
  const auto& names = trusted.statement->principals->names;
  const bool is_named = std::ranges::find(names, request.caller.arn) != names.end() ||
                        (!request.caller.role_arn.empty() &&
                         std::ranges::find(names, request.caller.role_arn) != names.end());
  const Status own = CheckAction(request.action, role_arn);
  const bool is_denied = !decisions_.empty() && decisions_.back().verdict == Verdict::kDenied;
  return is_named && !is_denied ? Status() : own;
}

Status RequestAccess::Ask(std::string action, std::string resource, const engine::Table* table,
                          const Policy* resource_policy, FunctionRef<void(ConditionKeys&)> fill) {
  if (enforcement_ == Enforcement::kNone) {
    return {};
  }
  AccessRequest request{.action = std::move(action),
                        .resource = std::move(resource),
                        .caller = principal_->caller,
                        .keys = {}};
  Policies policies;
  for (const Policy& policy : principal_->identity->policies) {
    policies.identity.push_back(&policy);
  }
  const auto pointer = [](const std::optional<Policy>& policy) {
    return policy ? &*policy : nullptr;
  };
  policies.boundary = pointer(principal_->identity->boundary);
  policies.session = pointer(principal_->session_policy);
  policies.resource = resource_policy;
  std::vector<const Policy*> all = policies.identity;
  all.insert(all.end(), {policies.boundary, policies.session, policies.resource});
  if (std::ranges::any_of(all,
                          [](const Policy* one) { return one != nullptr && one->uses_keys; })) {
    AddCallerKeys(request.keys);
    if (table != nullptr) {
      for (const auto& [name, value] : table->tags) {
        request.keys.Set("aws:ResourceTag/" + name, value);
      }
    }
    fill(request.keys);
  }
  const Decision decision = Decide(policies, request);
  if (decisions_.size() < kDecisionsMax) {
    decisions_.push_back(
        {.action = request.action,
         .resource = request.resource,
         .verdict = decision.verdict,
         .policy = decision.policy != nullptr ? decision.policy->name : "",
         .statement = decision.statement != nullptr ? decision.statement->id : ""});
  }
  return decision.allowed() ? Status() : Status(Denied(request, decision, resource_policy));
}

Error RequestAccess::Denied(const AccessRequest& request, const Decision& decision,
                            const Policy* resource_policy) const {
  std::string text = "User: " + request.caller.arn +
                     " is not authorized to perform: " + request.action +
                     " on resource: " + request.resource;
  const auto kind = [&](const Policy* policy) -> std::string {
    if (policy == resource_policy) {
      return "a resource-based policy";
    }
    if (principal_->session_policy && policy == &*principal_->session_policy) {
      return "a session policy";
    }
    const auto& boundary = principal_->identity->boundary;
    return boundary && policy == &*boundary ? "a permissions boundary" : "an identity-based policy";
  };
  switch (decision.verdict) {
    case Verdict::kDenied:
      text += " with an explicit deny in " + kind(decision.policy);
      break;
    case Verdict::kNotInBoundary:
      text += " because no permissions boundary allows the " + request.action + " action";
      break;
    case Verdict::kNotInSession:
      text += " because no session policy allows the " + request.action + " action";
      break;
    case Verdict::kNotAllowed:
    case Verdict::kAllowed:
      text += " because no identity-based policy allows the " + request.action + " action";
      break;
  }
  return Error{ErrorCode::kAccessDenied, std::move(text)};
}

}  // namespace prejoin::access
