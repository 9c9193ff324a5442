// Resolves an access key to its owner: keys of users, and the temporary ones of sessions.
//
// A session needs no record: its token is a sealed text that holds everything, the secret too. Every gateway with the same key file has
// the seal and can read it, nobody else can make one, and it expires by itself. The names in it are looked up at each request, so a role that is
// deleted, or whose policies change, takes its sessions with it.
#include <absl/strings/match.h>

#include <algorithm>
#include <utility>

#include "access/directory.h"
#include "access/records.h"
#include "engine/table/space.h"
#include "value/base64.h"

namespace prejoin::access {
namespace {

constexpr std::string_view kTokenPurpose = "session token";
constexpr std::int64_t kSessionSecondsMin = 900;
constexpr std::int64_t kUserSessionSecondsMax = 129'600;  // 36 hours.
constexpr std::int64_t kChainedSessionSecondsMax =
    3600;  // The limit for a role that is assumed from a role's session.
constexpr std::size_t kSessionPolicyBytesMax = 2048;

Error BadSession(std::string message) { return Error{ErrorCode::kValidation, std::move(message)}; }

Error BadMember(const std::string& member, const std::string& value,
                const std::string& constraint) {
  return BadSession("1 validation error detected: Value '" + value + "' at '" + member +
                    "' failed to satisfy constraint: Member must " + constraint);
}

// AWS's bounds.
Status CheckDuration(const Principal& by, const Identity& identity, std::int64_t seconds) {
  const bool is_role = identity.kind == IdentityKind::kRole;
  const std::int64_t most = is_role ? kRoleSessionSecondsMax : kUserSessionSecondsMax;
  const std::string text = std::to_string(seconds);
  if (seconds < kSessionSecondsMin) {
    return BadMember("durationSeconds", text, "have value greater than or equal to 900");
  }
  if (seconds > most) {
    return BadMember("durationSeconds", text,
                     "have value less than or equal to " + std::to_string(most));
  }
  if (is_role && !by.caller.role_arn.empty() && seconds > kChainedSessionSecondsMax) {
    return BadSession(
        "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role "
        "chaining");
  }
  if (is_role && seconds > identity.session_seconds_max) {
    return BadSession(
        "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.");
  }
  return {};
}

bool IsSessionCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_+=,.@-").find(c) != std::string_view::npos;
}

Status CheckSessionText(const std::string& member, const std::string& text) {
  constexpr std::size_t kLettersMin = 2;
  constexpr std::size_t kLettersMax = 64;
  if (!std::ranges::all_of(text, IsSessionCharacter)) {
    return BadMember(member, text, R"(satisfy regular expression pattern: [\w+=,.@-]*)");
  }
  if (text.size() < kLettersMin) {
    return BadMember(member, text, "have length greater than or equal to 2");
  }
  return text.size() <= kLettersMax
             ? Status()
             : Status(BadMember(member, text, "have length less than or equal to 64"));
}

// A role's tags are a session's unless the session has its own; the case of letters does not tell them apart.
void AddTags(const std::map<std::string, std::string>& more,
             std::map<std::string, std::string>& tags) {
  for (const auto& one : more) {
    const bool is_there = std::ranges::any_of(
        tags, [&](const auto& tag) { return absl::EqualsIgnoreCase(tag.first, one.first); });
    if (!is_there) {
      tags.insert(one);
    }
  }
}

}  // namespace

Status CheckSessionName(const std::string& name) {
  return CheckSessionText("roleSessionName", name);
}

Result<SessionCredentials> Directory::OpenSession(const Principal& by, IdentityKind kind,
                                                  const std::string& name,
                                                  const SessionRequest& request) {
  const auto identity = Find(kind, name);
  if (identity == nullptr) {
    return BadSession("there is no such role or user: " + name);
  }
  PJ_RETURN_IF_ERROR(CheckDuration(by, identity->identity, request.seconds));
  if (kind == IdentityKind::kRole) {
    PJ_RETURN_IF_ERROR(CheckSessionName(request.name));
  }
  if (!request.source_identity.empty()) {
    PJ_RETURN_IF_ERROR(CheckSessionText("sourceIdentity", request.source_identity));
    if (!by.source_identity.empty() && by.source_identity != request.source_identity) {
      return Error{ErrorCode::kAccessDenied,
                   "The source identity of a session cannot be changed by the next one"};
    }
  }
  PJ_RETURN_IF_ERROR(CheckTags(request.tags));
  if (request.policy.size() > kSessionPolicyBytesMax) {
    return BadSession("a session policy has at most 2,048 characters");
  }
  if (!request.policy.empty()) {
    PJ_RETURN_IF_ERROR(Policy::Check(request.policy, PolicyKind::kIdentity));
  }
  constexpr std::size_t kIdLetters = 16;
  constexpr std::size_t kSecretLetters = 40;
  const std::int64_t now = clock_.NowMs();
  const SessionRecord record{.access_key_id = "ASIA" + RandomLetters(kIdLetters),
                             .secret = RandomLetters(kSecretLetters),
                             .kind = kind,
                             .name = name,
                             .identity_id = identity->identity.id,
                             .session_name = request.name,
                             .policy = request.policy,
                             .issued_to = kind == IdentityKind::kUser ? by.access_key_id : "",
                             .issued_ms = now,
                             .expires_ms = now + request.seconds * 1000,
                             .tags = request.tags,
                             .source_identity = request.source_identity.empty()
                                                    ? by.source_identity
                                                    : request.source_identity};
  SessionCredentials credentials{.access_key_id = record.access_key_id,
                                 .secret = record.secret,
                                 .expires_ms = record.expires_ms};
  AppendBase64(seal_.Close(PrintSession(record), kTokenPurpose), credentials.session_token);
  return credentials;
}

Result<std::optional<Directory::Credential>> Directory::FindSession(std::string_view access_key_id,
                                                                    std::string_view session_token,
                                                                    std::int64_t now_ms) {
  const auto sealed = DecodeBase64(session_token);
  if (!sealed) {
    return std::optional<Credential>();
  }
  const auto opened = seal_.Open(*sealed, kTokenPurpose);
  if (!opened) {
    return std::optional<Credential>();
  }
  PJ_ASSIGN_OR_RETURN(SessionRecord record, ParseSession(*opened));
  auto identity = Find(record.kind, record.name);
  if (record.access_key_id != access_key_id || identity == nullptr ||
      identity->identity.id != record.identity_id) {
    return std::optional<Credential>();
  }
  if (now_ms >= record.expires_ms) {
    return Error{ErrorCode::kExpiredIterator, "the session has ended"};
  }
  auto principal = std::make_shared<Principal>();
  if (record.kind == IdentityKind::kUser) {
    MutexLock lock(mutex_);
    const auto key = keys_.find(record.issued_to);
    if (key == keys_.end() || !key->second.key.active) {
      return std::optional<Credential>();
    }
    principal->caller.arn = IdentityArn(account_, IdentityKind::kUser, record.name);
    principal->user_id = identity->identity.id;
    principal->username = record.name;
  } else {
    principal->caller.arn =
        "arn:aws:sts::" + account_ + ":assumed-role/" + record.name + "/" + record.session_name;
    principal->caller.role_arn = IdentityArn(account_, IdentityKind::kRole, record.name);
    principal->user_id = identity->identity.id + ":" + record.session_name;
  }
  principal->caller.account = account_;
  principal->caller.id = identity->identity.id;
  principal->caller.has_boundary = identity->boundary.has_value();
  principal->access_key_id = record.access_key_id;
  principal->issued_ms = record.issued_ms;
  principal->tags = std::move(record.tags);
  AddTags(identity->identity.tags, principal->tags);
  principal->source_identity = std::move(record.source_identity);
  principal->identity = std::move(identity);
  if (!record.policy.empty()) {
    auto policy = Policy::Parse(record.policy, PolicyKind::kIdentity, "session");
    principal->session_policy = policy ? *std::move(policy) : Policy::DenyAll("session");
  }
  return std::optional(Credential{std::make_shared<const std::string>(std::move(record.secret)),
                                  std::move(principal)});
}

Result<std::optional<Directory::Credential>> Directory::FindCredential(
    std::string_view access_key_id, std::string_view session_token, std::int64_t now_ms) {
  if (!session_token.empty()) {
    return FindSession(access_key_id, session_token, now_ms);
  }
  Credential credential;
  bool is_stale = false;
  {
    MutexLock lock(mutex_);
    const auto found = keys_.find(access_key_id);
    if (found == keys_.end() || !found->second.key.active || found->second.principal == nullptr) {
      return std::optional<Credential>();
    }
    credential = {found->second.secret, found->second.principal};
    is_stale = now_ms - found->second.key.last_used_ms >= kLastUseStepMs;
    if (is_stale) {
      found->second.key.last_used_ms = now_ms;
    }
  }
  if (is_stale) {
    NoteUse(credential.principal->access_key_id, now_ms);
  }
  return std::optional(std::move(credential));
}

// Written at most every quarter of an hour, and not waited for: it is for people who look which keys can go. The record is changed in place
// because a key that was deleted meanwhile must stay deleted.
void Directory::NoteUse(const std::string& key_id, std::int64_t now_ms) {
  const std::string keys[] = {
      engine::SpaceKey(engine::kAccessSpace, std::string("\0\0\0\0k/", 6) + key_id)};
  (void)store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    if (!transaction.Value(0)) {
      return {};
    }
    PJ_ASSIGN_OR_RETURN(auto record, ParseKey(*transaction.Value(0)));
    record.key.last_used_ms = now_ms;
    transaction.Put(keys[0], PrintKey(record.key, record.sealed_secret));
    return {};
  });
}

}  // namespace prejoin::access
