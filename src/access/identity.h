// Users, roles and access keys, and the caller that a key stands for.
#ifndef PREJOIN_ACCESS_IDENTITY_H_
#define PREJOIN_ACCESS_IDENTITY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/decide.h"
#include "access/policy.h"

namespace prejoin::access {

enum class IdentityKind { kUser, kRole };

// A user or a role, as it is stored.
struct Identity {
  IdentityKind kind = IdentityKind::kUser;
  std::string name;
  std::string id;  // "AIDA…" or "AROA…".
  std::int64_t created_ms = 0;
  std::map<std::string, std::string> policies;  // Documents by name.
  std::string boundary;                         // A document; empty: none.
  std::string trust;  // For a role: who may assume it, as a document with principals.
  std::map<std::string, std::string> tags;
  std::int64_t session_seconds_max = 3600;  // For a role: MaxSessionDuration.
};

struct AccessKey {
  std::string id;  // "AKIA…"
  std::string user;
  bool active = true;
  std::int64_t created_ms = 0;
  std::int64_t last_used_ms = 0;  // 0: never. To a quarter of an hour.
  std::string secret;
};

// A user or role with its documents read.
struct ReadyIdentity {
  Identity identity;
  std::vector<Policy> policies;
  std::optional<Policy> boundary;
  std::optional<Policy> trust;
};

// The signer of a request, for whom decisions are made. Immutable.
struct Principal {
  Caller caller;
  std::string user_id;   // aws:userid
  std::string username;  // aws:username; empty for roles.
  std::string access_key_id;
  std::shared_ptr<const ReadyIdentity> identity;
  std::optional<Policy> session_policy;
  std::optional<std::int64_t> issued_ms;  // Set for sessions.
  std::string source_identity;            // aws:SourceIdentity, of a session that has one.
  std::map<std::string, std::string> tags;
};

// Temporary credentials, as STS gives them out.
struct SessionCredentials {
  std::string access_key_id;
  std::string secret;
  std::string session_token;
  std::int64_t expires_ms = 0;
};

// "arn:aws:iam::000000000000:user/ann"
std::string IdentityArn(const std::string& account, IdentityKind kind, const std::string& name);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_IDENTITY_H_
