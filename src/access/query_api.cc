// One row for each action: what it may be done to, and what it does. The user or role that a request means is found once, before anything
// else: policies are asked about it, as "iam:CreateUser" on its ARN, and the action is done to it. No action reads the name again.
#include "access/query_api.h"

#include <absl/time/time.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "access/names.h"
#include "access/query_form.h"
#include "base/uuid.h"

namespace prejoin::access {
namespace {

constexpr std::string_view kStsVersion = "2011-06-15";
constexpr std::string_view kIamVersion = "2010-05-08";
constexpr int kTagsMax = 50;

std::string TimeText(std::int64_t ms) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixMillis(ms), absl::UTCTimeZone());
}

// The user or role that a call is about.
struct SubjectName {
  IdentityKind kind = IdentityKind::kUser;
  std::string name;  // Empty: all of them.
};

struct FormCall {
  Directory& directory;
  RequestAccess& access;
  const Parameters& parameters;
  SubjectName subject = {};

  std::string Text(std::string_view name) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? "" : found->second;
  }
  Result<std::string> Required(std::string_view name) const {
    std::string text = Text(name);
    if (text.empty()) {
      return Error{ErrorCode::kValidation,
                   "The request must contain the parameter " + std::string(name) + "."};
    }
    return text;
  }
};

std::string IdentityXml(const std::string& account, const Identity& identity) {
  const bool is_user = identity.kind == IdentityKind::kUser;
  std::string xml = Element("Path", "/") +
                    Element(is_user ? "UserName" : "RoleName", identity.name) +
                    Element(is_user ? "UserId" : "RoleId", identity.id) +
                    Element("Arn", IdentityArn(account, identity.kind, identity.name)) +
                    Element("CreateDate", TimeText(identity.created_ms));
  if (!is_user) {
    xml += Element("AssumeRolePolicyDocument", identity.trust) +
           Element("MaxSessionDuration", std::to_string(identity.session_seconds_max));
  }
  return xml;
}

std::string CredentialsXml(const SessionCredentials& credentials) {
  return Around("Credentials", Element("AccessKeyId", credentials.access_key_id) +
                                   Element("SecretAccessKey", credentials.secret) +
                                   Element("SessionToken", credentials.session_token) +
                                   Element("Expiration", TimeText(credentials.expires_ms)));
}

// "Tags.member.1.Key" and "Tags.member.1.Value", and so on.
Result<std::map<std::string, std::string>> ReadTags(const FormCall& call) {
  std::map<std::string, std::string> tags;
  for (int number = 1; number <= kTagsMax + 1; ++number) {
    const std::string prefix = "Tags.member." + std::to_string(number) + ".";
    const std::string key = call.Text(prefix + "Key");
    if (key.empty()) {
      return tags;
    }
    tags[key] = call.Text(prefix + "Value");
  }
  return Error{ErrorCode::kLimitExceeded, "Cannot exceed quota for tags: 50"};
}

Error BadCall(std::string message) { return Error{ErrorCode::kValidation, std::move(message)}; }

// Nullopt if the call does not have the parameter.
Result<std::optional<std::int64_t>> ReadNumber(const FormCall& call, std::string_view name) {
  const std::string text = call.Text(name);
  if (text.empty()) {
    return std::optional<std::int64_t>();
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return BadCall(std::string(name) + " is not a number");
  }
  return std::optional(number);
}

// Parameters that limit what they are sent with: to pass over one would give more than was asked for.
Status RefuseParameters(const FormCall& call, std::initializer_list<std::string_view> names) {
  for (const auto& [name, value] : call.parameters) {
    for (const std::string_view refused : names) {
      if (name == refused || name.starts_with(std::string(refused) + ".")) {
        return BadCall("The parameter " + std::string(refused) + " is not supported.");
      }
    }
  }
  return {};
}

void AddTagKeys(const std::map<std::string, std::string>& tags, ActionKeys& keys) {
  for (const auto& [key, value] : tags) {
    keys["aws:RequestTag/" + key] = {value};
    keys["aws:TagKeys"].push_back(key);
  }
}

void AddResourceTags(const Identity& identity, ActionKeys& keys) {
  for (const auto& [key, value] : identity.tags) {
    keys["aws:ResourceTag/" + key] = {value};
    keys["iam:ResourceTag/" + key] = {value};
  }
}

// ---- STS

Result<std::string> GetCallerIdentity(FormCall& call) {
  const Principal& caller = call.access.principal();
  return Element("Arn", caller.caller.arn) + Element("UserId", caller.user_id) +
         Element("Account", caller.caller.account);
}

Result<std::string> GetSessionToken(FormCall& call) {
  const Principal& caller = call.access.principal();
  if (caller.username.empty() || caller.issued_ms) {
    return Error{ErrorCode::kAccessDenied, "Cannot call GetSessionToken with session credentials"};
  }
  PJ_RETURN_IF_ERROR(RefuseParameters(call, {"SerialNumber", "TokenCode"}));
  constexpr std::int64_t kTwelveHours = 43'200;
  PJ_ASSIGN_OR_RETURN(const auto seconds, ReadNumber(call, "DurationSeconds"));
  PJ_ASSIGN_OR_RETURN(const SessionCredentials credentials,
                      call.directory.OpenSession(
                          caller, IdentityKind::kUser, caller.username,
                          {.name = "", .policy = "", .seconds = seconds.value_or(kTwelveHours)}));
  return CredentialsXml(credentials);
}

// The trust policy and the caller's own are asked for each thing that a session is opened with.
Status CheckAssume(const FormCall& call, const ReadyIdentity& role, const SessionRequest& request) {
  ActionKeys keys = {{"sts:RoleSessionName", {request.name}}};
  AddTagKeys(request.tags, keys);
  AddResourceTags(role.identity, keys);
  if (const std::string id = call.Text("ExternalId"); !id.empty()) {
    keys["sts:ExternalId"] = {id};
  }
  if (!request.source_identity.empty()) {
    keys["sts:SourceIdentity"] = {request.source_identity};
  }
  PJ_RETURN_IF_ERROR(call.access.CheckAssumeRole(role, "sts:AssumeRole", keys));
  if (!request.tags.empty()) {
    PJ_RETURN_IF_ERROR(call.access.CheckAssumeRole(role, "sts:TagSession", keys));
  }
  return request.source_identity.empty()
             ? Status()
             : call.access.CheckAssumeRole(role, "sts:SetSourceIdentity", keys);
}

Result<std::string> AssumeRole(FormCall& call) {
  PJ_RETURN_IF_ERROR(RefuseParameters(
      call, {"PolicyArns", "SerialNumber", "TokenCode", "TransitiveTagKeys", "ProvidedContexts"}));
  PJ_ASSIGN_OR_RETURN(const std::string arn, call.Required("RoleArn"));
  PJ_ASSIGN_OR_RETURN(const std::string session, call.Required("RoleSessionName"));
  PJ_RETURN_IF_ERROR(CheckSessionName(session));
  const std::string prefix = IdentityArn(call.directory.account(), IdentityKind::kRole, "");
  const std::string name = arn.starts_with(prefix) ? arn.substr(prefix.size()) : "";
  const auto role = call.directory.Find(IdentityKind::kRole, name);
  if (role == nullptr) {
    return Error{ErrorCode::kAccessDenied,
                 "User: " + call.access.principal().caller.arn +
                     " is not authorized to perform: sts:AssumeRole on resource: " + arn};
  }
  constexpr std::int64_t kOneHour = 3600;
  PJ_ASSIGN_OR_RETURN(const auto seconds, ReadNumber(call, "DurationSeconds"));
  SessionRequest request{.name = session,
                         .policy = call.Text("Policy"),
                         .seconds = seconds.value_or(kOneHour),
                         .tags = {},
                         .source_identity = call.Text("SourceIdentity")};
  PJ_ASSIGN_OR_RETURN(request.tags, ReadTags(call));
  PJ_RETURN_IF_ERROR(CheckAssume(call, *role, request));
  PJ_ASSIGN_OR_RETURN(
      const SessionCredentials credentials,
      call.directory.OpenSession(call.access.principal(), IdentityKind::kRole, name, request));
  return CredentialsXml(credentials) +
         Around("AssumedRoleUser",
                Element("Arn", "arn:aws:sts::" + call.directory.account() + ":assumed-role/" +
                                   name + "/" + session) +
                    Element("AssumedRoleId", role->identity.id + ":" + session)) +
         Element("PackedPolicySize", "0");
}

// ---- IAM

// "iam:CreateUser" on the user, with the tags that the request and the user have.
Status CheckSubject(const FormCall& call, const std::string& action) {
  ActionKeys keys;
  PJ_ASSIGN_OR_RETURN(const auto tags, ReadTags(call));
  AddTagKeys(tags, keys);
  if (const auto found = call.directory.Find(call.subject.kind, call.subject.name)) {
    AddResourceTags(found->identity, keys);
  }
  return call.access.CheckAction(
      "iam:" + action, IdentityArn(call.directory.account(), call.subject.kind, call.subject.name),
      keys);
}

std::string_view ElementOf(IdentityKind kind) {
  return kind == IdentityKind::kUser ? "User" : "Role";
}

Result<std::string> CreateOne(FormCall& call) {
  PJ_RETURN_IF_ERROR(RefuseParameters(call, {"PermissionsBoundary"}));
  if (const std::string path = call.Text("Path"); !path.empty() && path != "/") {
    return BadCall("Users and roles have no paths but /.");
  }
  NewIdentity wanted{.kind = call.subject.kind, .name = call.subject.name};
  PJ_ASSIGN_OR_RETURN(wanted.tags, ReadTags(call));
  if (wanted.kind == IdentityKind::kRole) {
    PJ_ASSIGN_OR_RETURN(wanted.trust, call.Required("AssumeRolePolicyDocument"));
    PJ_ASSIGN_OR_RETURN(const auto seconds, ReadNumber(call, "MaxSessionDuration"));
    wanted.session_seconds_max = seconds.value_or(kRoleSessionSecondsMin);
  }
  if (!wanted.tags.empty()) {
    PJ_RETURN_IF_ERROR(
        CheckSubject(call, wanted.kind == IdentityKind::kUser ? "TagUser" : "TagRole"));
  }
  PJ_RETURN_IF_ERROR(call.directory.Create(wanted));
  const auto made = call.directory.Find(wanted.kind, wanted.name);
  return made == nullptr ? std::string()
                         : Around(ElementOf(wanted.kind),
                                  IdentityXml(call.directory.account(), made->identity));
}

Error NoSuchEntity(const FormCall& call) {
  return Error{ErrorCode::kResourceNotFound,
               "The user or role with name " + call.subject.name + " cannot be found."};
}

Result<std::string> GetOne(FormCall& call) {
  const auto found = call.directory.Find(call.subject.kind, call.subject.name);
  if (found == nullptr) {
    return NoSuchEntity(call);
  }
  return Around(ElementOf(call.subject.kind),
                IdentityXml(call.directory.account(), found->identity));
}

Result<std::string> DeleteOne(FormCall& call) {
  PJ_RETURN_IF_ERROR(call.directory.Delete(call.subject.kind, call.subject.name));
  return std::string();
}

Result<std::string> ListAll(FormCall& call) {
  std::string members;
  for (const Identity& identity : call.directory.List(call.subject.kind)) {
    members += Around("member", IdentityXml(call.directory.account(), identity));
  }
  return Element("IsTruncated", "false") +
         Around(call.subject.kind == IdentityKind::kUser ? "Users" : "Roles", members);
}

Result<std::string> PutPolicy(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string policy, call.Required("PolicyName"));
  PJ_ASSIGN_OR_RETURN(const std::string document, call.Required("PolicyDocument"));
  PJ_RETURN_IF_ERROR(
      call.directory.SetPolicy(call.subject.kind, call.subject.name, policy, document));
  return std::string();
}

Result<std::string> DeletePolicy(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string policy, call.Required("PolicyName"));
  PJ_RETURN_IF_ERROR(call.directory.RemovePolicy(call.subject.kind, call.subject.name, policy));
  return std::string();
}

Result<std::string> ListPolicies(FormCall& call) {
  const auto found = call.directory.Find(call.subject.kind, call.subject.name);
  if (found == nullptr) {
    return NoSuchEntity(call);
  }
  std::string members;
  for (const auto& [policy, document] : found->identity.policies) {
    members += Element("member", policy);
  }
  return Element("IsTruncated", "false") + Around("PolicyNames", members);
}

Result<std::string> Tag(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(auto tags, ReadTags(call));
  if (const auto found = call.directory.Find(call.subject.kind, call.subject.name)) {
    tags.insert(found->identity.tags.begin(), found->identity.tags.end());
  }
  PJ_RETURN_IF_ERROR(call.directory.SetTags(call.subject.kind, call.subject.name, tags));
  return std::string();
}

Result<std::string> UpdateTrust(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string document, call.Required("PolicyDocument"));
  PJ_RETURN_IF_ERROR(call.directory.SetTrust(call.subject.name, document));
  return std::string();
}

Result<std::string> UpdateRole(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const auto seconds, ReadNumber(call, "MaxSessionDuration"));
  if (seconds) {
    PJ_RETURN_IF_ERROR(call.directory.SetSessionSeconds(call.subject.name, *seconds));
  } else if (call.directory.Find(IdentityKind::kRole, call.subject.name) == nullptr) {
    return NoSuchEntity(call);
  }
  return std::string();
}

Result<std::string> CreateKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const AccessKey key, call.directory.CreateKey(call.subject.name));
  return Around("AccessKey", Element("UserName", key.user) + Element("AccessKeyId", key.id) +
                                 Element("Status", "Active") +
                                 Element("SecretAccessKey", key.secret) +
                                 Element("CreateDate", TimeText(key.created_ms)));
}

// The key must be the user's: the check was made for that user.
Result<AccessKey> KeyOfUser(const FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string id, call.Required("AccessKeyId"));
  auto key = call.directory.FindKey(id);
  if (!key || key->user != call.subject.name) {
    return Error{ErrorCode::kResourceNotFound,
                 "The Access Key with id " + id + " cannot be found."};
  }
  return *std::move(key);
}

Result<std::string> UpdateKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const AccessKey key, KeyOfUser(call));
  PJ_ASSIGN_OR_RETURN(const std::string status, call.Required("Status"));
  if (status != "Active" && status != "Inactive") {
    return BadCall("Status is Active or Inactive");
  }
  PJ_RETURN_IF_ERROR(call.directory.SetKeyActive(key.id, status == "Active"));
  return std::string();
}

Result<std::string> DeleteKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const AccessKey key, KeyOfUser(call));
  PJ_RETURN_IF_ERROR(call.directory.DeleteKey(key.id));
  return std::string();
}

Result<std::string> ListKeys(FormCall& call) {
  if (call.directory.Find(IdentityKind::kUser, call.subject.name) == nullptr) {
    return NoSuchEntity(call);
  }
  std::string members;
  for (const AccessKey& key : call.directory.ListKeys(call.subject.name)) {
    members += Around("member", Element("UserName", key.user) + Element("AccessKeyId", key.id) +
                                    Element("Status", key.active ? "Active" : "Inactive") +
                                    Element("CreateDate", TimeText(key.created_ms)));
  }
  return Element("UserName", call.subject.name) + Around("AccessKeyMetadata", members) +
         Element("IsTruncated", "false");
}

Result<std::string> KeyLastUsed(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const AccessKey key, KeyOfUser(call));
  return Element("UserName", key.user) +
         Around("AccessKeyLastUsed",
                (key.last_used_ms > 0 ? Element("LastUsedDate", TimeText(key.last_used_ms)) : "") +
                    Element("ServiceName", key.last_used_ms > 0 ? "dynamodb" : "N/A") +
                    Element("Region", "N/A"));
}

// The way in which a call names its user or role.
enum class Subject {
  kCaller,      // No other value; the action checks what it has to.
  kUser,        // UserName.
  kUserOrSelf,  // UserName, or the user who calls.
  kAllUsers,
  kRole,  // RoleName.
  kAllRoles,
  kKeyOwner,  // The user whose AccessKeyId it is.
};

struct QueryAction {
  std::string_view name;
  std::string_view service;
  Subject subject;
  Result<std::string> (*run)(FormCall& call);
};

constexpr QueryAction kActions[] = {
    {"GetCallerIdentity", "sts", Subject::kCaller, GetCallerIdentity},
    {"GetSessionToken", "sts", Subject::kCaller, GetSessionToken},
    {"AssumeRole", "sts", Subject::kCaller, AssumeRole},
    {"CreateUser", "iam", Subject::kUser, CreateOne},
    {"GetUser", "iam", Subject::kUserOrSelf, GetOne},
    {"DeleteUser", "iam", Subject::kUser, DeleteOne},
    {"ListUsers", "iam", Subject::kAllUsers, ListAll},
    {"PutUserPolicy", "iam", Subject::kUser, PutPolicy},
    {"DeleteUserPolicy", "iam", Subject::kUser, DeletePolicy},
    {"ListUserPolicies", "iam", Subject::kUser, ListPolicies},
    {"TagUser", "iam", Subject::kUser, Tag},
    {"CreateRole", "iam", Subject::kRole, CreateOne},
    {"GetRole", "iam", Subject::kRole, GetOne},
    {"DeleteRole", "iam", Subject::kRole, DeleteOne},
    {"ListRoles", "iam", Subject::kAllRoles, ListAll},
    {"PutRolePolicy", "iam", Subject::kRole, PutPolicy},
    {"DeleteRolePolicy", "iam", Subject::kRole, DeletePolicy},
    {"ListRolePolicies", "iam", Subject::kRole, ListPolicies},
    {"TagRole", "iam", Subject::kRole, Tag},
    {"UpdateAssumeRolePolicy", "iam", Subject::kRole, UpdateTrust},
    {"UpdateRole", "iam", Subject::kRole, UpdateRole},
    {"CreateAccessKey", "iam", Subject::kUserOrSelf, CreateKey},
    {"UpdateAccessKey", "iam", Subject::kUserOrSelf, UpdateKey},
    {"DeleteAccessKey", "iam", Subject::kUserOrSelf, DeleteKey},
    {"ListAccessKeys", "iam", Subject::kUserOrSelf, ListKeys},
    {"GetAccessKeyLastUsed", "iam", Subject::kKeyOwner, KeyLastUsed},
};

// Every name that a call of IAM has, before anything is looked for under it.
Status CheckNames(const QueryAction& action, const Parameters& parameters) {
  if (action.service != "iam") {
    return {};
  }
  const bool is_new = action.name == "CreateUser";
  const struct {
    std::string_view parameter;
    std::string_view member;
    NameLength length;
  } names[] = {{"UserName", "userName", is_new ? kNewNameLength : kUserNameLength},
               {"RoleName", "roleName", kNewNameLength},
               {"PolicyName", "policyName", kPolicyNameLength},
               {"AccessKeyId", "accessKeyId", kAccessKeyIdLength}};
  for (const auto& [parameter, member, length] : names) {
    if (const auto given = parameters.find(parameter); given != parameters.end()) {
      PJ_RETURN_IF_ERROR(CheckName(member, given->second, length));
    }
  }
  return {};
}

Result<SubjectName> FindSubject(const FormCall& call, Subject subject) {
  switch (subject) {
    case Subject::kCaller:
    case Subject::kAllUsers:
      return SubjectName{IdentityKind::kUser, ""};
    case Subject::kAllRoles:
      return SubjectName{IdentityKind::kRole, ""};
    case Subject::kUser: {
      PJ_ASSIGN_OR_RETURN(std::string name, call.Required("UserName"));
      return SubjectName{IdentityKind::kUser, std::move(name)};
    }
    case Subject::kRole: {
      PJ_ASSIGN_OR_RETURN(std::string name, call.Required("RoleName"));
      return SubjectName{IdentityKind::kRole, std::move(name)};
    }
    case Subject::kKeyOwner: {
      PJ_ASSIGN_OR_RETURN(const std::string id, call.Required("AccessKeyId"));
      const auto key = call.directory.FindKey(id);
      return SubjectName{IdentityKind::kUser, key ? key->user : ""};
    }
    case Subject::kUserOrSelf:
      break;
  }
  if (call.parameters.contains("UserName")) {
    PJ_ASSIGN_OR_RETURN(std::string name, call.Required("UserName"));
    return SubjectName{IdentityKind::kUser, std::move(name)};
  }
  const std::string& own = call.access.principal().username;
  if (own.empty()) {
    return BadCall("Must specify userName when calling with non-User credentials");
  }
  return SubjectName{IdentityKind::kUser, own};
}

Result<std::string> RunAction(const QueryAction& action, FormCall& call) {
  PJ_RETURN_IF_ERROR(CheckNames(action, call.parameters));
  PJ_ASSIGN_OR_RETURN(call.subject, FindSubject(call, action.subject));
  if (action.subject != Subject::kCaller) {
    PJ_RETURN_IF_ERROR(CheckSubject(call, std::string(action.name)));
  }
  return action.run(call);
}

QueryAnswer AnswerOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kAccessDenied:
      return QueryError(403, "AccessDenied", error.message);
    case ErrorCode::kResourceNotFound:
      return QueryError(404, "NoSuchEntity", error.message);
    case ErrorCode::kResourceInUse:
      return QueryError(409, "EntityAlreadyExists", error.message);
    case ErrorCode::kLimitExceeded:
      return QueryError(409, "LimitExceeded", error.message);
    case ErrorCode::kValidation:
      return QueryError(400,
                        dynamic_cast<const MalformedPolicy*>(error.detail.get()) != nullptr
                            ? "MalformedPolicyDocument"
                            : "ValidationError",
                        error.message);
    default:
      return QueryError(500, "ServiceFailure", "The request processing has failed.");
  }
}

}  // namespace

QueryAnswer QueryError(int status, std::string_view code, std::string_view message) {
  return {status, "<ErrorResponse>" +
                      Around("Error", Element("Type", "Sender") + Element("Code", code) +
                                          Element("Message", message)) +
                      Element("RequestId", NewUuid()) + "</ErrorResponse>"};
}

// Nobody has verified the form yet, so nothing is made of it: one pass over its bytes. Clients escape neither these names nor the versions.
std::string_view ServiceOfForm(std::string_view form) {
  std::string_view version;
  bool has_action = false;
  while (!form.empty()) {
    const std::string_view pair = form.substr(0, form.find('&'));
    form.remove_prefix(std::min(form.size(), pair.size() + 1));
    has_action |= pair.starts_with("Action=");
    if (pair.starts_with("Version=")) {
      version = pair.substr(std::strlen("Version="));
    }
  }
  if (!has_action) {
    return {};
  }
  return version == kStsVersion ? "sts" : version == kIamVersion ? "iam" : std::string_view();
}

QueryAnswer AnswerForm(Directory& directory, RequestAccess& access, std::string_view form) {
  const Result<Parameters> parameters = ParseForm(form);
  if (!parameters) {
    return AnswerOf(parameters.error());
  }
  const std::string_view service = ServiceOfForm(form);
  FormCall call{directory, access, *parameters};
  const std::string name = call.Text("Action");
  for (const QueryAction& action : kActions) {
    if (action.name != name || action.service != service) {
      continue;
    }
    const auto result = RunAction(action, call);
    if (!result) {
      return AnswerOf(result.error());
    }
    const std::string_view space = service == "sts" ? "https://sts.amazonaws.com/doc/2011-06-15/"
                                                    : "https://iam.amazonaws.com/doc/2010-05-08/";
    return {200, "<" + name + "Response xmlns=\"" + std::string(space) + "\">" +
                     Around(name + "Result", *result) +
                     Around("ResponseMetadata", Element("RequestId", NewUuid())) + "</" + name +
                     "Response>"};
  }
  return QueryError(400, "InvalidAction", "Could not find operation " + name);
}

}  // namespace prejoin::access
