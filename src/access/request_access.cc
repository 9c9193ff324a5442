#include "access/request_access.h"

#include <absl/strings/ascii.h>
#include <absl/time/time.h>

#include <algorithm>
#include <span>
#include <utility>

#include "access/simulate.h"
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
      return "dynamodb:PartiQLInsert";
    case engine::ItemAction::kUpdate:
      return "dynamodb:PartiQLUpdate";
    case engine::ItemAction::kDelete:
      return "dynamodb:PartiQLDelete";
    default:
      return "dynamodb:PartiQLSelect";
  }
}

std::string_view PlainAction(engine::ItemAction action) {
  switch (action) {
    case engine::ItemAction::kGet:
      return "dynamodb:GetItem";
    case engine::ItemAction::kQuery:
      return "dynamodb:Query";
    case engine::ItemAction::kScan:
      return "dynamodb:Scan";
    case engine::ItemAction::kPut:
      return "dynamodb:PutItem";
    case engine::ItemAction::kUpdate:
      return "dynamodb:UpdateItem";
    case engine::ItemAction::kDelete:
      return "dynamodb:DeleteItem";
    case engine::ItemAction::kSearch:
      return "dynamodb:SearchVectors";
    case engine::ItemAction::kCheck:
      break;
  }
  return "dynamodb:ConditionCheckItem";
}

// `lower` has small letters only. The names of condition keys, those of tags in them included, are the same in every case.
bool IsKey(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower, [](char a, char b) {
    return a == b || absl::ascii_tolower(static_cast<unsigned char>(a)) == b;
  });
}

std::optional<std::string> TagOf(const std::map<std::string, std::string>& tags,
                                 std::string_view name) {
  const std::string lower = absl::AsciiStrToLower(std::string(name));
  const auto found =
      std::ranges::find_if(tags, [&](const auto& tag) { return IsKey(tag.first, lower); });
  return found == tags.end() ? std::nullopt : std::optional(found->second);
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
                             Enforcement enforcement, bool keeps_decisions)
    : engine_(engine),
      resource_policies_(resource_policies),
      principal_(std::move(principal)),
      facts_(std::move(facts)),
      enforcement_(enforcement),
      keeps_decisions_(keeps_decisions) {}

void RequestAccess::Begin(engine::RequestTerms terms) {
  terms_ = std::move(terms);
  passed_tables_.clear();
  decisions_.clear();
}

std::string_view RequestAccess::ActionOf(engine::ItemAction action) const {
  if (IsPartiql(terms_.operation)) {
    return PartiqlAction(action);
  }
  if (terms_.operation == "BatchGetItem") {
    return "dynamodb:BatchGetItem";
  }
  return terms_.operation == "BatchWriteItem" ? "dynamodb:BatchWriteItem" : PlainAction(action);
}

std::optional<std::string> RequestAccess::FindCallerKey(std::string_view name) const {
  const Principal& caller = *principal_;
  const bool is_role = !caller.caller.role_arn.empty();
  const auto unless_empty = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  if (IsKey(name, "aws:principalarn")) return is_role ? caller.caller.role_arn : caller.caller.arn;
  if (IsKey(name, "aws:principalaccount")) return caller.caller.account;
  if (IsKey(name, "aws:principaltype")) return is_role ? "AssumedRole" : "User";
  if (IsKey(name, "aws:userid")) return caller.user_id;
  if (IsKey(name, "aws:username")) return unless_empty(caller.username);
  if (IsKey(name, "aws:tokenissuetime")) {
    return caller.issued_ms ? std::optional(UtcText(*caller.issued_ms)) : std::nullopt;
  }
  if (IsKey(name, "aws:currenttime")) return UtcText(engine_.clock().NowMs());
  if (IsKey(name, "aws:epochtime")) return std::to_string(engine_.clock().NowMs() / 1000);
  if (IsKey(name, "aws:securetransport")) return facts_.encrypted ? "true" : "false";
  if (IsKey(name, "aws:requestedregion")) return engine_.options().region;
  if (IsKey(name, "aws:sourceip")) return unless_empty(facts_.source_ip);
  if (IsKey(name, "aws:useragent")) return unless_empty(std::string(facts_.user_agent));
  return std::nullopt;
}

ConditionValues RequestAccess::FindItemKey(std::string_view name,
                                           const engine::ItemAccess& access) const {
  const auto several = [](std::span<const std::string> texts) -> ConditionValues {
    return texts.empty() ? std::nullopt
                         : ConditionValues(std::in_place, texts.begin(), texts.end());
  };
  const auto one = [](std::string_view text) {
    return ConditionValues(std::in_place, 1, std::string(text));
  };
  if (IsKey(name, "dynamodb:leadingkeys")) return several(access.leading_keys);
  if (IsKey(name, "dynamodb:attributes")) return several(access.attributes);
  if (IsKey(name, "dynamodb:select") && !access.select.empty()) return one(access.select);
  if (IsKey(name, "dynamodb:returnvalues") && IsWrite(access.action)) {
    // An item that a failed condition shows is returned all the same.
    const bool is_none = terms_.return_values.empty() || terms_.return_values == "NONE";
    return one(is_none ? (access.shows_item_on_failure ? "ALL_OLD" : "NONE")
                       : terms_.return_values);
  }
  if (IsKey(name, "dynamodb:returnconsumedcapacity") && !terms_.consumed_capacity.empty()) {
    return one(terms_.consumed_capacity);
  }
  if (IsKey(name, "dynamodb:enclosingoperation") && IsTransaction(terms_.operation)) {
    return one(terms_.operation);
  }
  if (IsKey(name, "dynamodb:fulltablescan") && IsPartiql(terms_.operation) &&
      !IsWrite(access.action)) {
    return one(access.action == engine::ItemAction::kScan ? "true" : "false");
  }
  return std::nullopt;
}

ConditionValues RequestAccess::FindKey(std::string_view name, const engine::Table* table,
                                       const engine::ItemAccess* items) const {
  constexpr std::string_view kService = "dynamodb:";
  constexpr std::string_view kPrincipalTag = "aws:principaltag/";
  constexpr std::string_view kResourceTag = "aws:resourcetag/";
  if (items != nullptr && IsKey(name.substr(0, kService.size()), kService)) {
    return FindItemKey(name, *items);
  }
  std::optional<std::string> value;
  if (IsKey(name.substr(0, kPrincipalTag.size()), kPrincipalTag)) {
    value = TagOf(principal_->tags, name.substr(kPrincipalTag.size()));
  } else if (IsKey(name.substr(0, kResourceTag.size()), kResourceTag)) {
    value = table != nullptr ? TagOf(table->tags, name.substr(kResourceTag.size())) : std::nullopt;
  } else {
    value = FindCallerKey(name);
  }
  return value ? ConditionValues(std::in_place, 1, *std::move(value)) : std::nullopt;
}

Status RequestAccess::CheckItems(const engine::ItemAccess& access) {
  if (enforcement_ == Enforcement::kNone) {
    return {};
  }
  std::string index_arn;
  if (!access.index_name.empty()) {
    index_arn.append(access.table.description.arn).append("/index/").append(access.index_name);
  }
  std::shared_ptr<const Policy> policy;
  if (const std::string* document = PolicyDocument(access.table, "")) {
    policy = resource_policies_.Read(*document);
    if (policy == nullptr) {
      return UnreadablePolicy();
    }
  }
  PJ_RETURN_IF_ERROR(Ask(ActionOf(access.action),
                         index_arn.empty() ? access.table.description.arn : index_arn,
                         &access.table, policy.get(), &access));
  if (std::ranges::find(passed_tables_, access.table.name()) == passed_tables_.end()) {
    passed_tables_.push_back(access.table.name());
  }
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
  return Ask("dynamodb:" + std::string(action), resource, table.get(), policy.get(), nullptr);
}

Error RequestAccess::Refusal(engine::ItemAction action, const std::string& table_name,
                             Error error) {
  const std::string_view part = TablePart(table_name);
  const std::string name(part.empty() ? std::string_view(table_name) : part);
  const std::string table(name, 0, name.find('/'));  // Without the index.
  if (name.empty() || error.code == ErrorCode::kAccessDenied ||
      error.code == ErrorCode::kOverBudget ||
      std::ranges::find(passed_tables_, table) != passed_tables_.end()) {
    return error;
  }
  const std::string_view full = ActionOf(action);
  const Status allowed =
      CheckResource(full.substr(full.find(':') + 1), engine::TableArn(engine_.options(), name));
  return allowed ? error : allowed.error();
}

Status RequestAccess::CheckAction(const std::string& action, const std::string& resource) {
  return Ask(action, resource, nullptr, nullptr, nullptr);
}

Status RequestAccess::CheckAssumeRole(const ReadyIdentity& role, const std::string& action) {
  const std::string role_arn =
      IdentityArn(principal_->caller.account, IdentityKind::kRole, role.identity.name);
  const auto find = [&](std::string_view name) { return FindKey(name, nullptr, nullptr); };
  const ConditionKeys keys(find);
  const AccessQuestion request(action, role_arn, principal_->caller, keys);
  const Policy* const trust = role.trust ? &*role.trust : nullptr;
  const Decision trusted = Decide({.resource = trust}, request);
  if (!trusted.allowed()) {
    return Denied(request, trusted, trust);
  }
  const auto& names = trusted.statement->principals->names;
  const bool is_named = std::ranges::find(names, request.caller.arn) != names.end() ||
                        (!request.caller.role_arn.empty() &&
                         std::ranges::find(names, request.caller.role_arn) != names.end());
  const Status own = CheckAction(action, role_arn);
  return is_named && last_verdict_ != Verdict::kDenied ? Status() : own;
}

Decision RequestAccess::DecideFor(const AccessQuestion& question,
                                  const Policy* resource_policy) const {
  const auto pointer = [](const std::optional<Policy>& policy) {
    return policy ? &*policy : nullptr;
  };
  return Decide({.identity = principal_->identity->policies,
                 .boundary = pointer(principal_->identity->boundary),
                 .session = pointer(principal_->session_policy),
                 .resource = resource_policy},
                question);
}

Status RequestAccess::Ask(std::string_view action, std::string_view resource,
                          const engine::Table* table, const Policy* resource_policy,
                          const engine::ItemAccess* items) {
  if (enforcement_ == Enforcement::kNone) {
    return {};
  }
  const auto find = [&](std::string_view name) { return FindKey(name, table, items); };
  const ConditionKeys keys(find);
  const AccessQuestion question(action, resource, principal_->caller, keys);
  const Decision decision = DecideFor(question, resource_policy);
  last_verdict_ = decision.verdict;
  if (keeps_decisions_ && decisions_.size() < kDecisionsMax) {
    decisions_.push_back(
        {.action = std::string(action),
         .resource = std::string(resource),
         .verdict = decision.verdict,
         .policy = decision.policy != nullptr ? decision.policy->name : "",
         .statement = decision.statement != nullptr ? decision.statement->id : ""});
  }
  return decision.allowed() ? Status() : Status(Denied(question, decision, resource_policy));
}

Error RequestAccess::Denied(const AccessQuestion& request, const Decision& decision,
                            const Policy* resource_policy) const {
  const std::string action(request.action);
  std::string text = "User: " + request.caller.arn + " is not authorized to perform: " + action +
                     " on resource: " + std::string(request.resource);
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
      text += " because no permissions boundary allows the " + action + " action";
      break;
    case Verdict::kNotInSession:
      text += " because no session policy allows the " + action + " action";
      break;
    case Verdict::kNotAllowed:
    case Verdict::kAllowed:
      text += " because no identity-based policy allows the " + action + " action";
      break;
  }
  return Error{ErrorCode::kAccessDenied, std::move(text)};
}

}  // namespace prejoin::access
