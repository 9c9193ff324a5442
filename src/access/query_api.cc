// One row for each action: what it may be done to, and what it does. Every action but the two that are about the caller itself is checked as
// "iam:CreateUser" on the ARN of the user or role before it runs.
#include "access/query_api.h"

#include <absl/strings/escaping.h>
#include <absl/strings/str_replace.h>
#include <absl/time/time.h>

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/uuid.h"

namespace prejoin::access {
namespace {

constexpr std::string_view kStsVersion = "2011-06-15";
constexpr std::string_view kIamVersion = "2010-05-08";
constexpr std::size_t kParametersMax = 200;
constexpr int kTagsMax = 50;

using Parameters = std::map<std::string, std::string, std::less<>>;

int HexOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string FormDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexOf(text[i + 1]) >= 0 &&
        HexOf(text[i + 2]) >= 0) {
      out += static_cast<char>(HexOf(text[i + 1]) * 16 + HexOf(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Parameters ParseForm(std::string_view form) {
  Parameters parameters;
  while (!form.empty() && parameters.size() < kParametersMax) {
    const auto end = form.find('&');
    const std::string_view element = form.substr(0, end);
    const auto equals = element.find('=');
    parameters[FormDecode(element.substr(0, equals))] =
        equals == std::string_view::npos ? "" : FormDecode(element.substr(equals + 1));
    form = end == std::string_view::npos ? std::string_view() : form.substr(end + 1);
  }
  return parameters;
}

std::string Escaped(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"<", "&lt;"}, {">", "&gt;"}, {"&", "&amp;"}});
}

std::string Element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + Escaped(text) + "</" + std::string(name) + ">";
}

// The inner text is XML already.
std::string Around(std::string_view name, std::string_view xml) {
  return "<" + std::string(name) + ">" + std::string(xml) + "</" + std::string(name) + ">";
}

std::string TimeText(std::int64_t ms) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixMillis(ms), absl::UTCTimeZone());
}

struct FormCall {
  Directory& directory;
  RequestAccess& access;
  const Parameters& parameters;

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
    xml += Element("AssumeRolePolicyDocument", identity.trust);
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

Result<SessionRequest> ReadSession(const FormCall& call, std::string name, std::int64_t seconds) {
  SessionRequest request{
      .name = std::move(name), .policy = call.Text("Policy"), .seconds = seconds};
  const std::string text = call.Text("DurationSeconds");
  if (!text.empty()) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), request.seconds);
    if (error != std::errc() || end != text.data() + text.size()) {
      return Error{ErrorCode::kValidation, "DurationSeconds is not a number"};
    }
  }
  return request;
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
  constexpr std::int64_t kTwelveHours = 43'200;
  PJ_ASSIGN_OR_RETURN(SessionRequest request, ReadSession(call, "", kTwelveHours));
  request.policy.clear();
  PJ_ASSIGN_OR_RETURN(
      const SessionCredentials credentials,
      call.directory.OpenSession(caller, IdentityKind::kUser, caller.username, request));
  return CredentialsXml(credentials);
}

Result<std::string> AssumeRole(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string arn, call.Required("RoleArn"));
  PJ_ASSIGN_OR_RETURN(const std::string session, call.Required("RoleSessionName"));
  const std::string prefix = IdentityArn(call.directory.account(), IdentityKind::kRole, "");
  const std::string name = arn.starts_with(prefix) ? arn.substr(prefix.size()) : "";
  const auto role = call.directory.Find(IdentityKind::kRole, name);
  if (role == nullptr) {
    return Error{ErrorCode::kAccessDenied,
                 "User: " + call.access.principal().caller.arn +
                     " is not authorized to perform: sts:AssumeRole on resource: " + arn};
  }
  PJ_RETURN_IF_ERROR(call.access.CheckAssumeRole(*role, "sts:AssumeRole"));
  constexpr std::int64_t kOneHour = 3600;
  PJ_ASSIGN_OR_RETURN(SessionRequest request, ReadSession(call, session, kOneHour));
  PJ_ASSIGN_OR_RETURN(request.tags, ReadTags(call));
  if (!request.tags.empty()) {
    PJ_RETURN_IF_ERROR(call.access.CheckAssumeRole(*role, "sts:TagSession"));
  }
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

template <IdentityKind kKind>
constexpr std::string_view kNameOf = kKind == IdentityKind::kUser ? "UserName" : "RoleName";

template <IdentityKind kKind>
Result<std::string> CreateOne(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  std::string trust;
  if (kKind == IdentityKind::kRole) {
    PJ_ASSIGN_OR_RETURN(trust, call.Required("AssumeRolePolicyDocument"));
  }
  PJ_RETURN_IF_ERROR(call.directory.Create(kKind, name, trust));
  return Around(kKind == IdentityKind::kUser ? "User" : "Role",
                IdentityXml(call.directory.account(), call.directory.Find(kKind, name)->identity));
}

template <IdentityKind kKind>
Result<std::string> GetOne(FormCall& call) {
  std::string name = call.Text(kNameOf<kKind>);
  if (name.empty()) {
    name = call.access.principal().username;
  }
  const auto found = call.directory.Find(kKind, name);
  if (found == nullptr) {
    return Error{ErrorCode::kResourceNotFound,
                 "The user or role with name " + name + " cannot be found."};
  }
  return Around(kKind == IdentityKind::kUser ? "User" : "Role",
                IdentityXml(call.directory.account(), found->identity));
}

template <IdentityKind kKind>
Result<std::string> DeleteOne(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  PJ_RETURN_IF_ERROR(call.directory.Delete(kKind, name));
  return std::string();
}

template <IdentityKind kKind>
Result<std::string> ListAll(FormCall& call) {
  std::string members;
  for (const Identity& identity : call.directory.List(kKind)) {
    members += Around("member", IdentityXml(call.directory.account(), identity));
  }
  return Element("IsTruncated", "false") +
         Around(kKind == IdentityKind::kUser ? "Users" : "Roles", members);
}

template <IdentityKind kKind>
Result<std::string> PutPolicy(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  PJ_ASSIGN_OR_RETURN(const std::string policy, call.Required("PolicyName"));
  PJ_ASSIGN_OR_RETURN(const std::string document, call.Required("PolicyDocument"));
  PJ_RETURN_IF_ERROR(call.directory.SetPolicy(kKind, name, policy, document));
  return std::string();
}

template <IdentityKind kKind>
Result<std::string> DeletePolicy(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  PJ_ASSIGN_OR_RETURN(const std::string policy, call.Required("PolicyName"));
  PJ_RETURN_IF_ERROR(call.directory.RemovePolicy(kKind, name, policy));
  return std::string();
}

template <IdentityKind kKind>
Result<std::string> ListPolicies(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  const auto found = call.directory.Find(kKind, name);
  if (found == nullptr) {
    return Error{ErrorCode::kResourceNotFound,
                 "The user or role with name " + name + " cannot be found."};
  }
  std::string members;
  for (const auto& [policy, document] : found->identity.policies) {
    members += Element("member", policy);
  }
  return Element("IsTruncated", "false") + Around("PolicyNames", members);
}

template <IdentityKind kKind>
Result<std::string> Tag(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required(kNameOf<kKind>));
  PJ_ASSIGN_OR_RETURN(auto tags, ReadTags(call));
  if (const auto found = call.directory.Find(kKind, name)) {
    tags.insert(found->identity.tags.begin(), found->identity.tags.end());
  }
  PJ_RETURN_IF_ERROR(call.directory.SetTags(kKind, name, tags));
  return std::string();
}

Result<std::string> UpdateTrust(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string name, call.Required("RoleName"));
  PJ_ASSIGN_OR_RETURN(const std::string document, call.Required("PolicyDocument"));
  PJ_RETURN_IF_ERROR(call.directory.SetTrust(name, document));
  return std::string();
}

// The caller's own, if the request names no user.
std::string UserOf(const FormCall& call) {
  std::string user = call.Text("UserName");
  return user.empty() ? call.access.principal().username : user;
}

Result<std::string> CreateKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const AccessKey key, call.directory.CreateKey(UserOf(call)));
  return Around("AccessKey", Element("UserName", key.user) + Element("AccessKeyId", key.id) +
                                 Element("Status", "Active") +
                                 Element("SecretAccessKey", key.secret) +
                                 Element("CreateDate", TimeText(key.created_ms)));
}

// The key must be the user's: the check was made for that user.
Result<std::string> KeyOfUser(const FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string id, call.Required("AccessKeyId"));
  for (const AccessKey& key : call.directory.ListKeys(UserOf(call))) {
    if (key.id == id) return id;
  }
  return Error{ErrorCode::kResourceNotFound, "The Access Key with id " + id + " cannot be found."};
}

Result<std::string> UpdateKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string id, KeyOfUser(call));
  PJ_ASSIGN_OR_RETURN(const std::string status, call.Required("Status"));
  if (status != "Active" && status != "Inactive") {
    return Error{ErrorCode::kValidation, "Status is Active or Inactive"};
  }
  PJ_RETURN_IF_ERROR(call.directory.SetKeyActive(id, status == "Active"));
  return std::string();
}

Result<std::string> DeleteKey(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string id, KeyOfUser(call));
  PJ_RETURN_IF_ERROR(call.directory.DeleteKey(id));
  return std::string();
}

Result<std::string> ListKeys(FormCall& call) {
  std::string members;
  const std::string user = UserOf(call);
  for (const AccessKey& key : call.directory.ListKeys(user)) {
    members += Around("member", Element("UserName", key.user) + Element("AccessKeyId", key.id) +
                                    Element("Status", key.active ? "Active" : "Inactive") +
                                    Element("CreateDate", TimeText(key.created_ms)));
  }
  return Element("UserName", user) + Around("AccessKeyMetadata", members) +
         Element("IsTruncated", "false");
}

Result<std::string> KeyLastUsed(FormCall& call) {
  PJ_ASSIGN_OR_RETURN(const std::string id, call.Required("AccessKeyId"));
  for (const AccessKey& key : call.directory.ListKeys("")) {
    if (key.id != id) continue;
    return Element("UserName", key.user) +
           Around(
               "AccessKeyLastUsed",
               (key.last_used_ms > 0 ? Element("LastUsedDate", TimeText(key.last_used_ms)) : "") +
                   Element("ServiceName", key.last_used_ms > 0 ? "dynamodb" : "N/A") +
                   Element("Region", "N/A"));
  }
  return Error{ErrorCode::kResourceNotFound, "The Access Key with id " + id + " cannot be found."};
}

enum class Subject { kSelf, kUser, kRole };

struct QueryAction {
  std::string_view name;
  std::string_view service;
  Subject subject;
  Result<std::string> (*run)(FormCall& call);
};

constexpr QueryAction kActions[] = {
    {"GetCallerIdentity", "sts", Subject::kSelf, GetCallerIdentity},
    {"GetSessionToken", "sts", Subject::kSelf, GetSessionToken},
    {"AssumeRole", "sts", Subject::kSelf, AssumeRole},
    {"CreateUser", "iam", Subject::kUser, CreateOne<IdentityKind::kUser>},
    {"GetUser", "iam", Subject::kUser, GetOne<IdentityKind::kUser>},
    {"DeleteUser", "iam", Subject::kUser, DeleteOne<IdentityKind::kUser>},
    {"ListUsers", "iam", Subject::kUser, ListAll<IdentityKind::kUser>},
    {"PutUserPolicy", "iam", Subject::kUser, PutPolicy<IdentityKind::kUser>},
    {"DeleteUserPolicy", "iam", Subject::kUser, DeletePolicy<IdentityKind::kUser>},
    {"ListUserPolicies", "iam", Subject::kUser, ListPolicies<IdentityKind::kUser>},
    {"TagUser", "iam", Subject::kUser, Tag<IdentityKind::kUser>},
    {"CreateRole", "iam", Subject::kRole, CreateOne<IdentityKind::kRole>},
    {"GetRole", "iam", Subject::kRole, GetOne<IdentityKind::kRole>},
    {"DeleteRole", "iam", Subject::kRole, DeleteOne<IdentityKind::kRole>},
    {"ListRoles", "iam", Subject::kRole, ListAll<IdentityKind::kRole>},
    {"PutRolePolicy", "iam", Subject::kRole, PutPolicy<IdentityKind::kRole>},
    {"DeleteRolePolicy", "iam", Subject::kRole, DeletePolicy<IdentityKind::kRole>},
    {"ListRolePolicies", "iam", Subject::kRole, ListPolicies<IdentityKind::kRole>},
    {"TagRole", "iam", Subject::kRole, Tag<IdentityKind::kRole>},
    {"UpdateAssumeRolePolicy", "iam", Subject::kRole, UpdateTrust},
    {"CreateAccessKey", "iam", Subject::kUser, CreateKey},
    {"UpdateAccessKey", "iam", Subject::kUser, UpdateKey},
    {"DeleteAccessKey", "iam", Subject::kUser, DeleteKey},
    {"ListAccessKeys", "iam", Subject::kUser, ListKeys},
    {"GetAccessKeyLastUsed", "iam", Subject::kUser, KeyLastUsed},
};

std::string SubjectArn(const FormCall& call, Subject subject) {
  const bool is_user = subject == Subject::kUser;
  const std::string name = is_user ? UserOf(call) : call.Text("RoleName");
  return IdentityArn(call.directory.account(), is_user ? IdentityKind::kUser : IdentityKind::kRole,
                     name);
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
                        error.message.find("policy") != std::string::npos
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

std::string_view ServiceOfForm(std::string_view form) {
  const Parameters parameters = ParseForm(form);
  const auto version = parameters.find("Version");
  if (version == parameters.end() || !parameters.contains("Action")) {
    return {};
  }
  return version->second == kStsVersion   ? "sts"
         : version->second == kIamVersion ? "iam"
                                          : std::string_view();
}

QueryAnswer AnswerForm(Directory& directory, RequestAccess& access, std::string_view form) {
  const Parameters parameters = ParseForm(form);
  const std::string_view service = ServiceOfForm(form);
  FormCall call{directory, access, parameters};
  const std::string name = call.Text("Action");
  for (const QueryAction& action : kActions) {
    if (action.name != name || action.service != service) continue;
    if (action.subject != Subject::kSelf) {
      const Status allowed = access.CheckAction("iam:" + name, SubjectArn(call, action.subject));
      if (!allowed) return AnswerOf(allowed.error());
    }
    const auto result = action.run(call);
    if (!result) return AnswerOf(result.error());
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
