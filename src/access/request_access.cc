#include "access/request_access.h"

#include <absl/strings/ascii.h>
#include <absl/time/time.h>

#include <algorithm>
#include <span>
#include <utility>

#include "access/simulate.h"
#include "engine/table/catalog.h"
#include "engine/table/resource_arn.h"
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

// For an index whose partition key has several attributes; the first is the leading key.
constexpr std::string_view kFurtherKeys[] = {"dynamodb:secondpartitionkeyvalues",
                                             "dynamodb:thirdpartitionkeyvalues",
                                             "dynamodb:fourthpartitionkeyvalues"};

// `lower` has small letters only. The names of condition keys, those of tags in them included, are the same in every case.
bool IsKey(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower, [](char a, char b) {
    return a == b || absl::ascii_tolower(static_cast<unsigned char>(a)) == b;
  });
}

std::optional<std::string> TagOf(const std::map<std::string, std::string>& tags,
                                 std::string_view name) {
  // Tables may have tags that differ in nothing but that: the one that the policy writes counts.
  if (const auto exact = tags.find(std::string(name)); exact != tags.end()) {
    return exact->second;
  }
  const std::string lower = absl::AsciiStrToLower(std::string(name));
  const auto found =
      std::ranges::find_if(tags, [&](const auto& tag) { return IsKey(tag.first, lower); });
  return found == tags.end() ? std::nullopt : std::optional(found->second);
}

const std::string* PolicyDocument(const engine::Table& table, std::string_view stream_label) {
  if (stream_label.empty()) {
    return table.resource_policy ? &table.resource_policy->document : nullptr;
  }
  const auto found = table.stream_policies.find(std::string(stream_label));
  return found == table.stream_policies.end() ? nullptr : &found->second.document;
}

void SetKeys(const ActionKeys& from, ConditionKeys& keys) {
  for (const auto& [name, values] : from) {
    keys.Set(name, values);
  }
}

bool HasPolicy(engine::ResourceKind kind) {
  return kind == engine::ResourceKind::kTable || kind == engine::ResourceKind::kIndex ||
         kind == engine::ResourceKind::kStream;
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
  if (IsKey(name, "aws:principalarn")) {
    return is_role ? caller.caller.role_arn : caller.caller.arn;
  }
  if (IsKey(name, "aws:principalaccount")) {
    return caller.caller.account;
  }
  if (IsKey(name, "aws:principaltype")) {
    return is_role ? "AssumedRole" : "User";
  }
  if (IsKey(name, "aws:userid")) {
    return caller.user_id;
  }
  if (IsKey(name, "aws:username")) {
    return unless_empty(caller.username);
  }
  if (IsKey(name, "aws:tokenissuetime")) {
    return caller.issued_ms ? std::optional(UtcText(*caller.issued_ms)) : std::nullopt;
  }
  if (IsKey(name, "aws:currenttime")) {
    return UtcText(engine_.clock().NowMs());
  }
  if (IsKey(name, "aws:epochtime")) {
    return std::to_string(engine_.clock().NowMs() / 1000);
  }
  if (IsKey(name, "aws:securetransport")) {
    return facts_.encrypted ? "true" : "false";
  }
  if (IsKey(name, "aws:requestedregion")) {
    return engine_.options().region;
  }
  if (IsKey(name, "aws:sourceip")) {
    return unless_empty(facts_.source_ip);
  }
  if (IsKey(name, "aws:useragent")) {
    return unless_empty(std::string(facts_.user_agent));
  }
  if (IsKey(name, "aws:sourceidentity")) {
    return unless_empty(caller.source_identity);
  }
  // Keys that every request has on AWS too. No session here was opened with a second factor, and no service asks for anybody.
  if (IsKey(name, "aws:resourceaccount")) {
    return caller.caller.account;
  }
  if (IsKey(name, "aws:principalisawsservice")) {
    return "false";
  }
  if (IsKey(name, "aws:viaawsservice")) {
    return "false";
  }
  if (IsKey(name, "aws:multifactorauthpresent")) {
    return caller.issued_ms ? std::optional<std::string>("false") : std::nullopt;
  }
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
  if (IsKey(name, "dynamodb:leadingkeys") || IsKey(name, "dynamodb:firstpartitionkeyvalues")) {
    return several(access.leading_keys);
  }
  for (std::size_t i = 0; i < std::min(std::size(kFurtherKeys), access.further_keys.size()); ++i) {
    if (IsKey(name, kFurtherKeys[i])) {
      return one(access.further_keys[i]);
    }
  }
  if (IsKey(name, "dynamodb:attributes")) {
    return several(access.attributes);
  }
  if (IsKey(name, "dynamodb:select") && !access.select.empty()) {
    return one(access.select);
  }
  if (IsKey(name, "dynamodb:returnvalues") && !access.return_values.empty()) {
    return one(access.return_values);
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
  constexpr std::string_view kRequestTag = "aws:requesttag/";
  // Known before anything is planned, so that a Deny also holds for requests that cannot be planned.
  if (IsKey(name, "dynamodb:enclosingoperation") && IsTransaction(terms_.operation)) {
    return ConditionValues(std::in_place, 1, std::string(terms_.operation));
  }
  if (IsKey(name, "dynamodb:returnconsumedcapacity") && !terms_.consumed_capacity.empty()) {
    return ConditionValues(std::in_place, 1, std::string(terms_.consumed_capacity));
  }
  if (items != nullptr && IsKey(name.substr(0, kService.size()), kService)) {
    return FindItemKey(name, *items);
  }
  std::optional<std::string> value;
  if (IsKey(name.substr(0, kPrincipalTag.size()), kPrincipalTag)) {
    value = TagOf(principal_->tags, name.substr(kPrincipalTag.size()));
  } else if (IsKey(name.substr(0, kResourceTag.size()), kResourceTag)) {
    value = table != nullptr ? TagOf(table->tags, name.substr(kResourceTag.size())) : std::nullopt;
  } else if (IsKey(name.substr(0, kRequestTag.size()), kRequestTag)) {
    value = TagOf(terms_.tags, name.substr(kRequestTag.size()));
  } else if (IsKey(name, "aws:tagkeys")) {
    return terms_.tag_keys.empty() ? std::nullopt : ConditionValues(terms_.tag_keys);
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
  PJ_RETURN_IF_ERROR(
      Ask(ActionOf(access.action), index_arn.empty() ? access.table.description.arn : index_arn,
          {.table = &access.table, .resource_policy = policy.get(), .items = &access}));
  if (std::ranges::find(passed_tables_, access.table.name()) == passed_tables_.end()) {
    passed_tables_.push_back(access.table.name());
  }
  return {};
}

Status RequestAccess::CheckResource(std::string_view action, const std::string& arn) {
  engine::TablePtr table;
  std::shared_ptr<const Policy> policy;
  // The tags and the policy are those of the table that the operation would use. Backups, exports and imports have neither, nor has an ARN
  // that the operation would refuse.
  if (const auto parsed = engine::ParseResourceArn(arn);
      parsed && parsed->IsOf(engine_.options()) && HasPolicy(parsed->kind)) {
    table = engine_.catalog().FindOrNull(std::string(parsed->table));
    const bool is_stream = parsed->kind == engine::ResourceKind::kStream;
    const std::string* document =
        table != nullptr ? PolicyDocument(*table, is_stream ? parsed->id : "") : nullptr;
    if (document != nullptr) {
      policy = resource_policies_.Read(*document);
      if (policy == nullptr && !action.ends_with("ResourcePolicy")) {
        return UnreadablePolicy();
      }
    }
  }
  return Ask("dynamodb:" + std::string(action), arn,
             {.table = table.get(), .resource_policy = policy.get()});
}

Status RequestAccess::CheckPolicyDocument(std::string_view document) {
  return enforcement_ == Enforcement::kNone ? Status()
                                            : Policy::Check(document, PolicyKind::kResource);
}

Error RequestAccess::Refusal(engine::ItemAction action, const std::string& table, Error error) {
  const std::string arn =
      table.starts_with("arn:") ? table : engine::TableArn(engine_.options(), table);
  const auto parsed = engine::ParseResourceArn(arn);
  // Errors about resources of other accounts and regions tell nothing. A name that makes no ARN is asked about as it is: the error of an
  // index "a/b" would tell whether its table exists.
  const bool is_foreign = parsed && !parsed->IsOf(engine_.options());
  const bool has_passed =
      parsed && std::ranges::find(passed_tables_, parsed->table) != passed_tables_.end();
  if (is_foreign || has_passed || error.code == ErrorCode::kAccessDenied ||
      error.code == ErrorCode::kOverBudget) {
    return error;
  }
  const std::string_view full = ActionOf(action);
  const Status allowed = CheckResource(full.substr(full.find(':') + 1), arn);
  return allowed ? error : allowed.error();
}

Status RequestAccess::CheckAction(const std::string& action, const std::string& resource,
                                  const ActionKeys& keys) {
  return Ask(action, resource, {.keys = &keys});
}

Status RequestAccess::CheckAssumeRole(const ReadyIdentity& role, const std::string& action,
                                      const ActionKeys& action_keys) {
  const std::string role_arn =
      IdentityArn(principal_->caller.account, IdentityKind::kRole, role.identity.name);
  const auto find = [&](std::string_view name) { return FindKey(name, nullptr, nullptr); };
  ConditionKeys keys(find);
  SetKeys(action_keys, keys);
  const AccessQuestion request(action, role_arn, principal_->caller, keys);
  const Policy* const trust = role.trust ? &*role.trust : nullptr;
  if (const Decision trusted = TrustOf(trust, request); !trusted.allowed()) {
    return Denied(request, trusted, trust);
  }
  return Ask(action, role_arn, {.resource_policy = trust, .keys = &action_keys});
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

Status RequestAccess::Ask(std::string_view action, std::string_view resource, const Asked& asked) {
  if (enforcement_ == Enforcement::kNone) {
    return {};
  }
  const auto find = [&](std::string_view name) { return FindKey(name, asked.table, asked.items); };
  ConditionKeys keys(find);
  if (asked.keys != nullptr) {
    SetKeys(*asked.keys, keys);
  }
  const AccessQuestion question(action, resource, principal_->caller, keys);
  const Decision decision = DecideFor(question, asked.resource_policy);
  if (keeps_decisions_ && decisions_.size() < kDecisionsMax) {
    decisions_.push_back(
        {.action = std::string(action),
         .resource = std::string(resource),
         .verdict = decision.verdict,
         .policy = decision.policy != nullptr ? decision.policy->name : "",
         .statement = decision.statement != nullptr ? decision.statement->id : ""});
  }
  return decision.allowed() ? Status() : Status(Denied(question, decision, asked.resource_policy));
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
