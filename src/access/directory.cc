// The directory is small and read by every request, so all of it is in memory; the store has a record for each user, role and key. A change
// goes to the store first, waits until it is durable, and is then published under a mutex that readers hold for a map lookup. So a request
// that begins after a change returned sees it, and what a request saw survives a crash.
//
// Identities are immutable once published: a request keeps the version that it began with.
#include "access/directory.h"

#include <absl/strings/ascii.h>
#include <absl/strings/match.h>

#include <algorithm>
#include <set>
#include <utility>

#include "access/names.h"
#include "access/records.h"
#include "engine/table/space.h"

namespace prejoin::access {
namespace {

// Beside users, roles and keys: a known text under the seal, which tells another key file at once.
constexpr std::string_view kCheckName = "check";
constexpr std::string_view kCheckText = "prejoin access directory";
constexpr std::size_t kHashBytes = 4;

std::string RecordKey(std::string_view name) {
  return engine::SpaceKey(engine::kAccessSpace, std::string(kHashBytes, '\0').append(name));
}

std::string IdentityRecordName(IdentityKind kind, const std::string& name) {
  return (kind == IdentityKind::kUser ? "u/" : "r/") + name;
}

Error NoSuch(IdentityKind kind, const std::string& name) {
  return Error{ErrorCode::kResourceNotFound,
               (kind == IdentityKind::kUser ? "The user with name " : "The role with name ") +
                   name + " cannot be found."};
}

Error NoSuchKey(const std::string& id) {
  return Error{ErrorCode::kResourceNotFound, "The Access Key with id " + id + " cannot be found."};
}

Error Invalid(std::string message) { return Error{ErrorCode::kValidation, std::move(message)}; }

std::string_view MemberOf(IdentityKind kind) {
  return kind == IdentityKind::kUser ? "userName" : "roleName";
}

Status CheckSessionSeconds(std::int64_t seconds) {
  return seconds >= kRoleSessionSecondsMin && seconds <= kRoleSessionSecondsMax
             ? Status()
             : Status(Invalid("MaxSessionDuration must be between 3600 and 43200 seconds"));
}

// A document that an earlier version stored and this one cannot read denies everything: its owner is locked out, the server starts.
Policy ReadStored(const std::string& document, PolicyKind kind, const std::string& name) {
  auto policy = Policy::Parse(document, kind, name);
  return policy ? *std::move(policy) : Policy::DenyAll(name);
}

ReadyIdentity Read(Identity identity) {
  ReadyIdentity ready;
  for (const auto& [name, document] : identity.policies) {
    ready.policies.push_back(ReadStored(document, PolicyKind::kIdentity, name));
  }
  if (!identity.boundary.empty()) {
    ready.boundary = ReadStored(identity.boundary, PolicyKind::kIdentity, "boundary");
  }
  if (!identity.trust.empty()) {
    ready.trust = ReadStored(identity.trust, PolicyKind::kTrust, "trust");
  }
  ready.identity = std::move(identity);
  return ready;
}

}  // namespace

Status CheckTags(const std::map<std::string, std::string>& tags) {
  constexpr std::size_t kTagsMax = 50;
  constexpr std::size_t kTagKeyMax = 128;
  constexpr std::size_t kTagValueMax = 256;
  if (tags.size() > kTagsMax) {
    return Invalid("a user, role or session has at most 50 tags");
  }
  std::set<std::string> lower;
  for (const auto& [key, value] : tags) {
    if (key.empty() || key.size() > kTagKeyMax || value.size() > kTagValueMax) {
      return Invalid("a tag has a key of 1 to 128 characters and a value of at most 256");
    }
    // Conditions do not tell the case of letters apart.
    if (!lower.insert(absl::AsciiStrToLower(key)).second) {
      return Invalid("Duplicate tag keys found. Please note that Tag keys are case insensitive.");
    }
  }
  return {};
}

std::string IdentityArn(const std::string& account, IdentityKind kind, const std::string& name) {
  return "arn:aws:iam::" + account + (kind == IdentityKind::kUser ? ":user/" : ":role/") + name;
}

Directory::Directory(storage::Store& store, Seal seal, std::string account, const Clock& clock)
    : store_(store), seal_(std::move(seal)), account_(std::move(account)), clock_(clock) {}

Result<std::unique_ptr<Directory>> Directory::Open(storage::Store& store, Seal seal,
                                                   std::string account, const Clock& clock) {
  std::unique_ptr<Directory> directory(
      new Directory(store, std::move(seal), std::move(account), clock));
  PJ_RETURN_IF_ERROR(directory->Load());
  return directory;
}

Result<bool> Directory::Exists(storage::Store& store) {
  PJ_ASSIGN_OR_RETURN(const auto check, store.Get(RecordKey(kCheckName)));
  return check.has_value();
}

Status Directory::CheckSeal() {
  PJ_ASSIGN_OR_RETURN(const auto check, store_.Get(RecordKey(kCheckName)));
  if (!check) {
    return {};  // Nothing is sealed yet.
  }
  const auto opened = seal_.Open(*check, kCheckName);
  if (!opened || *opened != kCheckText) {
    return Invalid("the key file is not the one that the secrets of this database are sealed with");
  }
  return {};
}

Status Directory::Load() {
  PJ_RETURN_IF_ERROR(CheckSeal());
  std::vector<std::pair<std::string, std::string>> records;
  PJ_RETURN_IF_ERROR(store_.Visit(
      engine::SpaceRange(engine::kAccessSpace), [&](std::string_view key, std::string_view value) {
        records.emplace_back(key.substr(storage::kSpaceBytes + kHashBytes), value);
        return storage::Visit::kContinue;
      }));
  // Users before their keys.
  std::ranges::stable_sort(records, {}, [](const auto& record) { return record.first[0] == 'k'; });
  MutexLock lock(mutex_);
  for (const auto& [name, value] : records) {
    PJ_RETURN_IF_ERROR(LoadRecord(name, value));
  }
  return {};
}

Status Directory::LoadRecord(std::string_view name, std::string_view value) {
  if (name.starts_with("u/") || name.starts_with("r/")) {
    PJ_ASSIGN_OR_RETURN(Identity identity, ParseIdentity(value));
    Publish(Read(std::move(identity)));
  } else if (name.starts_with("k/")) {
    PJ_ASSIGN_OR_RETURN(auto record, ParseKey(value));
    PJ_ASSIGN_OR_RETURN(record.key.secret, seal_.Open(record.sealed_secret, record.key.id));
    auto principal = PrincipalOf(record.key);
    // A name of its own: the value is moved from before the place in the map is looked for.
    const std::string id = record.key.id;
    auto secret = std::make_shared<const std::string>(record.key.secret);
    keys_[id] = {std::move(record.key), std::move(secret), std::move(principal)};
  }
  return {};
}

// Keys of the user get the new version with it.
void Directory::Publish(ReadyIdentity ready) {
  const bool is_user = ready.identity.kind == IdentityKind::kUser;
  const std::string name = ready.identity.name;
  (is_user ? users_ : roles_)[name] = std::make_shared<const ReadyIdentity>(std::move(ready));
  for (auto& [id, stored] : keys_) {
    if (is_user && stored.key.user == name) {
      stored.principal = PrincipalOf(stored.key);
    }
  }
}

std::shared_ptr<const Principal> Directory::PrincipalOf(const AccessKey& key) const {
  const auto user = users_.find(key.user);
  if (user == users_.end()) {
    return nullptr;
  }
  auto principal = std::make_shared<Principal>();
  principal->caller = {.arn = IdentityArn(account_, IdentityKind::kUser, key.user),
                       .role_arn = "",
                       .account = account_,
                       .id = user->second->identity.id,
                       .has_boundary = user->second->boundary.has_value()};
  principal->user_id = user->second->identity.id;
  principal->username = key.user;
  principal->access_key_id = key.id;
  principal->tags = user->second->identity.tags;
  principal->identity = user->second;
  return principal;
}

// The transaction is over all that it writes: the note of a key's last use must not bring back a key that is deleted at that moment.
Status Directory::Write(const Changes& changes) {
  PJ_RETURN_IF_ERROR(store_.Need(kAccessFeature));
  std::vector<std::string> keys = {RecordKey(kCheckName)};
  for (const auto& [name, value] : changes) {
    keys.push_back(RecordKey(name));
  }
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        if (!transaction.Value(0)) {
                          transaction.Put(keys[0], seal_.Close(kCheckText, kCheckName));
                        }
                        for (std::size_t i = 0; i < changes.size(); ++i) {
                          if (changes[i].second) {
                            transaction.Put(keys[i + 1], *changes[i].second);
                          } else {
                            transaction.Delete(keys[i + 1]);
                          }
                        }
                        return {};
                      }));
  return store_.IsDurable(ticket) ? Status() : store_.WaitDurable(ticket);
}

Status Directory::WriteIdentity(const Identity& identity) {
  PJ_RETURN_IF_ERROR(
      Write({{IdentityRecordName(identity.kind, identity.name), PrintIdentity(identity)}}));
  MutexLock lock(mutex_);
  Publish(Read(identity));
  return {};
}

bool Directory::HasKeys() const {
  MutexLock lock(mutex_);
  return !keys_.empty();
}

bool Directory::IsTaken(IdentityKind kind, const std::string& name) const {
  MutexLock lock(mutex_);
  return std::ranges::any_of(kind == IdentityKind::kUser ? users_ : roles_, [&](const auto& known) {
    return absl::EqualsIgnoreCase(known.first, name);
  });
}

Status Directory::Create(const NewIdentity& wanted) {
  const auto& [kind, name, trust, tags, session_seconds_max] = wanted;
  PJ_RETURN_IF_ERROR(CheckName(MemberOf(kind), name, kNewNameLength));
  PJ_RETURN_IF_ERROR(CheckTags(tags));
  PJ_RETURN_IF_ERROR(CheckSessionSeconds(session_seconds_max));
  if (!trust.empty()) {
    PJ_RETURN_IF_ERROR(Policy::Check(trust, PolicyKind::kTrust));
  }
  MutexLock change(change_mutex_);
  if (IsTaken(kind, name)) {
    return Error{ErrorCode::kResourceInUse,
                 (kind == IdentityKind::kUser ? "User with name " : "Role with name ") + name +
                     " already exists."};
  }
  constexpr std::size_t kIdLetters = 17;
  return WriteIdentity(
      {.kind = kind,
       .name = name,
       .id = (kind == IdentityKind::kUser ? "AIDA" : "AROA") + RandomLetters(kIdLetters),
       .created_ms = clock_.NowMs(),
       .trust = trust,
       .tags = tags,
       .session_seconds_max = session_seconds_max});
}

Status Directory::Delete(IdentityKind kind, const std::string& name) {
  MutexLock change(change_mutex_);
  if (Find(kind, name) == nullptr) {
    return NoSuch(kind, name);
  }
  const std::vector<AccessKey> keys =
      kind == IdentityKind::kUser ? ListKeys(name) : std::vector<AccessKey>();
  Changes changes = {{IdentityRecordName(kind, name), std::nullopt}};
  for (const AccessKey& key : keys) {
    changes.emplace_back("k/" + key.id, std::nullopt);
  }
  PJ_RETURN_IF_ERROR(Write(changes));
  MutexLock lock(mutex_);
  (kind == IdentityKind::kUser ? users_ : roles_).erase(name);
  for (const AccessKey& key : keys) {
    keys_.erase(key.id);
  }
  return {};
}

Status Directory::Change(IdentityKind kind, const std::string& name,
                         FunctionRef<Status(Identity&)> edit) {
  MutexLock change(change_mutex_);
  const auto current = Find(kind, name);
  if (current == nullptr) {
    return NoSuch(kind, name);
  }
  Identity identity = current->identity;
  PJ_RETURN_IF_ERROR(edit(identity));
  return WriteIdentity(identity);
}

Status Directory::SetPolicy(IdentityKind kind, const std::string& name,
                            const std::string& policy_name, const std::string& document) {
  PJ_RETURN_IF_ERROR(CheckName("policyName", policy_name, kPolicyNameLength));
  if (document.size() > kPolicyBytesMax) {
    return Invalid("a policy has at most 10,240 characters");
  }
  PJ_RETURN_IF_ERROR(Policy::Check(document, PolicyKind::kIdentity));
  return Change(kind, name, [&](Identity& identity) -> Status {
    identity.policies[policy_name] = document;
    return {};
  });
}

Status Directory::RemovePolicy(IdentityKind kind, const std::string& name,
                               const std::string& policy_name) {
  return Change(kind, name, [&](Identity& identity) -> Status {
    if (identity.policies.erase(policy_name) == 0) {
      return Error{ErrorCode::kResourceNotFound,
                   "The policy with name " + policy_name + " cannot be found."};
    }
    return {};
  });
}

Status Directory::SetBoundary(IdentityKind kind, const std::string& name,
                              const std::string& document) {
  if (!document.empty()) {
    PJ_RETURN_IF_ERROR(Policy::Check(document, PolicyKind::kIdentity));
  }
  return Change(kind, name, [&](Identity& identity) -> Status {
    identity.boundary = document;
    return {};
  });
}

Status Directory::SetTrust(const std::string& role, const std::string& document) {
  PJ_RETURN_IF_ERROR(Policy::Check(document, PolicyKind::kTrust));
  return Change(IdentityKind::kRole, role, [&](Identity& identity) -> Status {
    identity.trust = document;
    return {};
  });
}

Status Directory::SetSessionSeconds(const std::string& role, std::int64_t seconds) {
  PJ_RETURN_IF_ERROR(CheckSessionSeconds(seconds));
  return Change(IdentityKind::kRole, role, [&](Identity& identity) -> Status {
    identity.session_seconds_max = seconds;
    return {};
  });
}

Status Directory::SetTags(IdentityKind kind, const std::string& name,
                          const std::map<std::string, std::string>& tags) {
  PJ_RETURN_IF_ERROR(CheckTags(tags));
  return Change(kind, name, [&](Identity& identity) -> Status {
    identity.tags = tags;
    return {};
  });
}

std::vector<Identity> Directory::List(IdentityKind kind) const {
  MutexLock lock(mutex_);
  std::vector<Identity> all;
  for (const auto& [name, ready] : kind == IdentityKind::kUser ? users_ : roles_) {
    all.push_back(ready->identity);
  }
  return all;
}

std::shared_ptr<const ReadyIdentity> Directory::Find(IdentityKind kind,
                                                     const std::string& name) const {
  MutexLock lock(mutex_);
  const NameMap& map = kind == IdentityKind::kUser ? users_ : roles_;
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

Status Directory::StoreKey(AccessKey key) {
  PJ_RETURN_IF_ERROR(Write({{"k/" + key.id, PrintKey(key, seal_.Close(key.secret, key.id))}}));
  MutexLock lock(mutex_);
  auto principal = PrincipalOf(key);
  std::string id = key.id;
  auto secret = std::make_shared<const std::string>(key.secret);
  keys_[std::move(id)] = {std::move(key), std::move(secret), std::move(principal)};
  return {};
}

Result<AccessKey> Directory::CreateKey(const std::string& user) {
  MutexLock change(change_mutex_);
  if (Find(IdentityKind::kUser, user) == nullptr) {
    return NoSuch(IdentityKind::kUser, user);
  }
  if (ListKeys(user).size() >= kKeysOfUserMax) {
    return Error{ErrorCode::kLimitExceeded, "Cannot exceed quota for AccessKeysPerUser: 2"};
  }
  constexpr std::size_t kIdLetters = 16;
  constexpr std::size_t kSecretLetters = 40;
  AccessKey key{.id = "AKIA" + RandomLetters(kIdLetters),
                .user = user,
                .created_ms = clock_.NowMs(),
                .secret = RandomLetters(kSecretLetters)};
  PJ_RETURN_IF_ERROR(StoreKey(key));
  return key;
}

Status Directory::ImportKey(const std::string& user, const std::string& id,
                            const std::string& secret) {
  PJ_RETURN_IF_ERROR(CheckName("accessKeyId", id, kAccessKeyIdLength));
  if (secret.empty()) {
    return Invalid("the secret of " + id + " is empty");
  }
  MutexLock change(change_mutex_);
  if (Find(IdentityKind::kUser, user) == nullptr) {
    return NoSuch(IdentityKind::kUser, user);
  }
  {
    MutexLock lock(mutex_);
    const auto found = keys_.find(id);
    if (found != keys_.end() && found->second.key.user != user) {
      return Error{ErrorCode::kResourceInUse,
                   "the key " + id + " belongs to the user " + found->second.key.user};
    }
  }
  return StoreKey({.id = id, .user = user, .created_ms = clock_.NowMs(), .secret = secret});
}

Status Directory::SetKeyActive(const std::string& id, bool active) {
  MutexLock change(change_mutex_);
  AccessKey key;
  {
    MutexLock lock(mutex_);
    const auto found = keys_.find(id);
    if (found == keys_.end()) {
      return NoSuchKey(id);
    }
    key = found->second.key;
  }
  key.active = active;
  return StoreKey(std::move(key));
}

Status Directory::DeleteKey(const std::string& id) {
  MutexLock change(change_mutex_);
  {
    MutexLock lock(mutex_);
    if (!keys_.contains(id)) {
      return NoSuchKey(id);
    }
  }
  PJ_RETURN_IF_ERROR(Write({{"k/" + id, std::nullopt}}));
  MutexLock lock(mutex_);
  keys_.erase(id);
  return {};
}

std::vector<AccessKey> Directory::ListAllKeys() const {
  MutexLock lock(mutex_);
  std::vector<AccessKey> keys;
  for (const auto& [id, stored] : keys_) {
    keys.push_back(stored.key);
    keys.back().secret.clear();
  }
  return keys;
}

std::vector<AccessKey> Directory::ListKeys(const std::string& user) const {
  std::vector<AccessKey> keys = ListAllKeys();
  std::erase_if(keys, [&](const AccessKey& key) { return key.user != user; });
  return keys;
}

std::optional<AccessKey> Directory::FindKey(const std::string& id) const {
  MutexLock lock(mutex_);
  const auto found = keys_.find(id);
  if (found == keys_.end()) {
    return std::nullopt;
  }
  AccessKey key = found->second.key;
  key.secret.clear();
  return key;
}

}  // namespace prejoin::access
