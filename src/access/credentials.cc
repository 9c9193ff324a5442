// From an access key to whoever it stands for: keys of users, and the temporary ones of sessions.
//
// A session needs no record: its token is a sealed text that holds everything, the secret too. Whoever has the seal (every gateway with the
// same key file) can read it, nobody can make one, and it ends by itself. What it refers to is looked up at each request, so a role that is
// deleted, or whose policies change, takes its sessions with it.
#include <utility>

#include "access/directory.h"
#include "access/records.h"
#include "engine/table/space.h"
#include "value/base64.h"

namespace prejoin::access {
namespace {

constexpr std::string_view kTokenPurpose = "session token";
constexpr std::int64_t kSessionSecondsMin = 900;
constexpr std::int64_t kSessionSecondsMax = 129'600;  // 36 hours, as GetSessionToken has it.
constexpr std::size_t kSessionPolicyBytesMax = 2048;

Error BadSession(std::string message) { return Error{ErrorCode::kValidation, std::move(message)}; }

}  // namespace

Result<SessionCredentials> Directory::OpenSession(const Principal& by, IdentityKind kind,
                                                  const std::string& name,
                                                  const SessionRequest& request) {
  const auto identity = Find(kind, name);
  if (identity == nullptr) {
    return BadSession("there is no such role or user: " + name);
  }
  if (request.seconds < kSessionSecondsMin || request.seconds > kSessionSecondsMax) {
    return BadSession("DurationSeconds is between 900 and 129600");
  }
  if (request.policy.size() > kSessionPolicyBytesMax) {
    return BadSession("a session policy has at most 2,048 characters");
  }
  if (!request.policy.empty()) {
    PJ_RETURN_IF_ERROR(Policy::Parse(request.policy, PolicyKind::kIdentity, "session"));
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
                             .tags = request.tags};
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
  principal->access_key_id = record.access_key_id;
  principal->issued_ms = record.issued_ms;
  principal->tags = std::move(record.tags);
  principal->tags.insert(identity->identity.tags.begin(), identity->identity.tags.end());
  principal->identity = std::move(identity);
  if (!record.policy.empty()) {
    PJ_ASSIGN_OR_RETURN(principal->session_policy,
                        Policy::Parse(record.policy, PolicyKind::kIdentity, "session"));
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
