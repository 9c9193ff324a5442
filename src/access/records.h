// The stored forms of users, roles and keys (docs/formats/access.md), and the content of a session token.
#ifndef PREJOIN_ACCESS_RECORDS_H_
#define PREJOIN_ACCESS_RECORDS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "access/identity.h"
#include "prejoin/result.h"

namespace prejoin::access {

std::string PrintIdentity(const Identity& identity);
// kCorruption for anything that PrintIdentity did not make.
Result<Identity> ParseIdentity(std::string_view text);

// `sealed_secret` stands for the secret, which the record does not hold.
std::string PrintKey(const AccessKey& key, std::string_view sealed_secret);
struct KeyRecord {
  AccessKey key;
  std::string sealed_secret;
};
Result<KeyRecord> ParseKey(std::string_view text);

struct SessionRecord {
  std::string access_key_id;
  std::string secret;
  IdentityKind kind = IdentityKind::kRole;
  std::string name;
  std::string identity_id;  // A role that was made again under the old name is another.
  std::string session_name;
  std::string policy;
  std::string issued_to;  // The access key of a user whose session it is; empty for roles.
  std::int64_t issued_ms = 0;
  std::int64_t expires_ms = 0;
  std::map<std::string, std::string> tags;  // The tags of the session; they come before those of its role.
  std::string source_identity;
};
std::string PrintSession(const SessionRecord& session);
Result<SessionRecord> ParseSession(std::string_view text);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_RECORDS_H_
