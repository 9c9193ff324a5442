// The directory: everybody who may ask, durable in the same store as the tables.
#ifndef PREJOIN_ACCESS_DIRECTORY_H_
#define PREJOIN_ACCESS_DIRECTORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/identity.h"
#include "access/seal.h"
#include "base/function_ref.h"
#include "base/mutex.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::access {

inline constexpr std::size_t kKeysOfUserMax = 2;  // AWS's own: one in use, one to change to.
inline constexpr std::size_t kPolicyBytesMax = 10'240;
inline constexpr std::int64_t kLastUseStepMs = 15 * 60 * 1000;

// The feature that the store's marker names once there is anybody (Store::Need).
inline constexpr const char* kAccessFeature = "access";

// AWS's bounds of MaxSessionDuration.
inline constexpr std::int64_t kRoleSessionSecondsMin = 3600;
inline constexpr std::int64_t kRoleSessionSecondsMax = 43'200;

struct NewIdentity {
  IdentityKind kind = IdentityKind::kUser;
  std::string name;
  std::string trust = "";  // For roles only.
  std::map<std::string, std::string> tags = {};
  std::int64_t session_seconds_max = kRoleSessionSecondsMin;  // For roles only.
};

struct SessionRequest {
  std::string name;    // The name of the session.
  std::string policy;  // A document that narrows it further; empty: none.
  std::int64_t seconds = 3600;
  std::map<std::string, std::string> tags = {};  // They are before those of the role.
  std::string source_identity = "";
};

// kValidation for more than 50 tags, for keys or values that are too long, and for keys that differ in the case of letters only.
Status CheckTags(const std::map<std::string, std::string>& tags);

// kValidation unless it is one that AWS allows as RoleSessionName: 2 to 64 of [\w+=,.@-], so that no session's ARN can be another's.
Status CheckSessionName(const std::string& name);

// Thread-safe. A change is durable, and every later request sees it, when the call returns.
class Directory {
 public:
  // `store` and `clock` outlive this object. An error if what is stored was sealed with another key.
  static Result<std::unique_ptr<Directory>> Open(storage::Store& store, Seal seal,
                                                 std::string account, const Clock& clock);
  // True if the store has a directory.
  static Result<bool> Exists(storage::Store& store);

  const std::string& account() const { return account_; }
  bool HasKeys() const PJ_EXCLUDES(mutex_);

  // Users and roles. kValidation with what is wrong; kResourceInUse if the name is taken; kResourceNotFound if there is none such.
  Status Create(const NewIdentity& wanted);
  Status Create(IdentityKind kind, const std::string& name, const std::string& trust = "") {
    return Create({.kind = kind, .name = name, .trust = trust});
  }
  // A user's keys go with it.
  Status Delete(IdentityKind kind, const std::string& name);
  Status SetPolicy(IdentityKind kind, const std::string& name, const std::string& policy_name,
                   const std::string& document);
  Status RemovePolicy(IdentityKind kind, const std::string& name, const std::string& policy_name);
  Status SetBoundary(IdentityKind kind, const std::string& name, const std::string& document);
  Status SetTrust(const std::string& role, const std::string& document);
  // The longest session of the role: 3600 to 43200 seconds.
  Status SetSessionSeconds(const std::string& role, std::int64_t seconds);
  Status SetTags(IdentityKind kind, const std::string& name,
                 const std::map<std::string, std::string>& tags);
  std::vector<Identity> List(IdentityKind kind) const PJ_EXCLUDES(mutex_);
  std::shared_ptr<const ReadyIdentity> Find(IdentityKind kind, const std::string& name) const
      PJ_EXCLUDES(mutex_);

  // The secret is in the answer and nowhere else in clear.
  Result<AccessKey> CreateKey(const std::string& user);
  // A key that exists elsewhere: an AWS-style credentials file.
  Status ImportKey(const std::string& user, const std::string& id, const std::string& secret);
  Status SetKeyActive(const std::string& id, bool active);
  Status DeleteKey(const std::string& id);
  // Without their secrets.
  std::vector<AccessKey> ListKeys(const std::string& user) const PJ_EXCLUDES(mutex_);
  std::vector<AccessKey> ListAllKeys() const PJ_EXCLUDES(mutex_);
  std::optional<AccessKey> FindKey(const std::string& id) const PJ_EXCLUDES(mutex_);

  // Temporary credentials for a role, or for a user itself.
  Result<SessionCredentials> OpenSession(const Principal& by, IdentityKind kind,
                                         const std::string& name, const SessionRequest& request);

  // The needs of a signature: the secret and who it stands for; nullopt if nobody has such a key. The error of a token that has expired is
  // kExpiredIterator, for want of a better one; verification words it.
  struct Credential {
    std::shared_ptr<const std::string> secret;
    std::shared_ptr<const Principal> principal;
  };
  Result<std::optional<Credential>> FindCredential(std::string_view access_key_id,
                                                   std::string_view session_token,
                                                   std::int64_t now_ms) PJ_EXCLUDES(mutex_);

 private:
  using NameMap = std::map<std::string, std::shared_ptr<const ReadyIdentity>, std::less<>>;
  struct StoredKey {
    AccessKey key;
    std::shared_ptr<const std::string> secret;  // The key's, for those who verify with it.
    std::shared_ptr<const Principal> principal;
  };

  Directory(storage::Store& store, Seal seal, std::string account, const Clock& clock);
  Status Load();
  Status LoadRecord(std::string_view name, std::string_view value) PJ_REQUIRES(mutex_);
  Status CheckSeal();
  // Records by name, with their new content; nullopt: they are deleted.
  using Changes = std::vector<std::pair<std::string, std::optional<std::string>>>;
  Status Write(const Changes& changes);
  Status WriteIdentity(const Identity& identity);
  Status Change(IdentityKind kind, const std::string& name, FunctionRef<Status(Identity&)> edit);
  // Names that differ in the case of letters only are the same to IAM.
  bool IsTaken(IdentityKind kind, const std::string& name) const PJ_EXCLUDES(mutex_);
  Status StoreKey(AccessKey key);
  void Publish(ReadyIdentity ready) PJ_REQUIRES(mutex_);
  std::shared_ptr<const Principal> PrincipalOf(const AccessKey& key) const PJ_REQUIRES(mutex_);
  void NoteUse(const std::string& key_id, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  Result<std::optional<Credential>> FindSession(std::string_view access_key_id,
                                                std::string_view session_token, std::int64_t now_ms)
      PJ_EXCLUDES(mutex_);

  storage::Store& store_;
  const Seal seal_;
  const std::string account_;
  const Clock& clock_;

  // One change at a time; held over the wait for the disk, which readers do not wait for.
  Mutex change_mutex_;

  mutable Mutex mutex_;
  NameMap users_ PJ_GUARDED_BY(mutex_);
  NameMap roles_ PJ_GUARDED_BY(mutex_);
  std::map<std::string, StoredKey, std::less<>> keys_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_DIRECTORY_H_
