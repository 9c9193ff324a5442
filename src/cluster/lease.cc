#include "cluster/lease.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "base/uuid.h"

namespace prejoin::cluster {
namespace {

// The fraction of its lease during which a leader may act.
constexpr double kActFraction = 2.0 / 3;
constexpr int kRenewalsPerLease = 6;

Error StoreError(const ObjectStatus& status) {
  return {ErrorCode::kUnavailable, std::string(kDirectoryObject) + ": " + status.what};
}

std::string ValueOf(const ObjectStore::Map& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? std::string() : found->second;
}

bool IsSameTurn(const LeaseState& a, const LeaseState& b) {
  return a.epoch == b.epoch && a.beat == b.beat && a.leader.has_value() == b.leader.has_value();
}

}  // namespace

Instant Now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

Result<std::optional<LeaseState>> ReadLease(ObjectStore& store) {
  ObjectStore::Map attributes;
  const ObjectStatus read = store.Attributes(kDirectoryObject, attributes);
  if (read.code == ObjectCode::kMissing) {
    return std::nullopt;
  }
  if (!read.ok()) {
    return StoreError(read);
  }
  const auto epoch = ParseNumber(ValueOf(attributes, kEpochAttribute));
  const auto beat = ParseNumber(ValueOf(attributes, kBeatAttribute));
  const std::string leader_text = ValueOf(attributes, kLeaderAttribute);
  std::optional<Leader> leader = ParseLeader(leader_text);
  // A leader that cannot be read is one all the same.
  if (!epoch || !beat || leader.has_value() == leader_text.empty()) {
    return Error{ErrorCode::kCorruption,
                 "the directory object does not say who leads: it belongs to another version of "
                 "Prejoin, or is damaged"};
  }
  // A wish is for one leader only. An unreadable wish is ignored.
  std::optional<Heir> heir = ParseHeir(ValueOf(attributes, kHeirAttribute));
  if (heir && heir->epoch != *epoch) {
    heir.reset();
  }
  return LeaseState{*epoch, *beat, std::move(leader), ValueOf(attributes, kSecretAttribute),
                    std::move(heir)};
}

Status EnsureCluster(ObjectStore& store) {
  Change change;
  change.create = true;
  change.attributes = {{kEpochAttribute, PrintNumber(0)},
                       {kBeatAttribute, PrintNumber(0)},
                       {kLeaderAttribute, ""},
                       {kSecretAttribute, NewUuid()}};
  const ObjectStatus made = store.Apply(kDirectoryObject, change);
  return made.ok() || made.code == ObjectCode::kExists ? Status() : Status(StoreError(made));
}

Status NameHeir(ObjectStore& store, const LeaseState& state, const std::string& gateway) {
  Change change;
  change.expected = {{kEpochAttribute, PrintNumber(state.epoch)}};
  change.attributes = {{kHeirAttribute, PrintHeir({.epoch = state.epoch, .gateway = gateway})}};
  const ObjectStatus named = store.Apply(kDirectoryObject, change);
  if (named.code == ObjectCode::kMismatch) {
    return Error{ErrorCode::kUnavailable, "the lead has moved meanwhile"};
  }
  return named.ok() ? Status() : Status(StoreError(named));
}

Lease::Lease(ObjectStore& store, LeaseOptions options)
    : store_(store), options_(std::move(options)) {}

Lease::~Lease() {
  stopping_ = true;
  {
    const MutexLock lock(mutex_);
    wake_.notify_all();
  }
  if (renewing_.joinable()) {
    renewing_.join();
    watching_.join();
  }
  if (fencing_.joinable()) {
    fencing_.join();
  }
}

bool Lease::IsHeld() const { return options_.now().count() < held_until_ns_.load(); }

void Lease::HoldSince(Instant begun) {
  const auto usable = std::chrono::duration_cast<Instant>(options_.duration * kActFraction);
  const std::int64_t end = (begun + usable).count();
  ends_at_ns_ = end;
  held_until_ns_ = end;
}

Result<std::optional<std::uint64_t>> Lease::TryTake() {
  PJ_ASSIGN_OR_RETURN(std::optional<LeaseState> state, ReadLease(store_));
  if (!state) {
    PJ_RETURN_IF_ERROR(EnsureCluster(store_));
    PJ_ASSIGN_OR_RETURN(state, ReadLease(store_));
  }
  if (!state) {
    return std::nullopt;
  }
  if (!state->leader && state->IsFirst(options_.self.gateway)) {
    return Take(*state);
  }
  {
    const MutexLock lock(mutex_);
    const Instant now = options_.now();
    if (!seen_ || !IsSameTurn(*seen_, *state)) {
      seen_ = state;
      seen_since_ = now;
      return std::nullopt;
    }
    const std::chrono::milliseconds theirs(state->leader ? state->leader->lease_ms : 0);
    if (now - seen_since_ < std::max(options_.duration, theirs)) {
      return std::nullopt;
    }
  }
  return Take(*state);
}

Result<std::optional<std::uint64_t>> Lease::Take(const LeaseState& former) {
  PJ_RETURN_IF_ERROR(options_.may_lead());
  Leader self = options_.self;
  self.client = store_.OwnAddress();
  self.lease_ms = static_cast<std::uint64_t>(options_.duration.count());
  const std::uint64_t epoch = former.epoch + 1;
  Change change;
  change.expected = {{kEpochAttribute, PrintNumber(former.epoch)},
                     {kBeatAttribute, PrintNumber(former.beat)}};
  change.attributes.emplace_back(kEpochAttribute, PrintNumber(epoch));
  change.attributes.emplace_back(kBeatAttribute, PrintNumber(0));
  change.attributes.emplace_back(kLeaderAttribute, PrintLeader(self));
  const Instant begun = options_.now();
  const ObjectStatus taken = store_.Apply(kDirectoryObject, change);
  if (taken.code == ObjectCode::kMismatch) {
    return std::nullopt;  // Another one was faster, or the leader lives.
  }
  if (!taken.ok()) {
    return StoreError(taken);
  }
  {
    const MutexLock lock(mutex_);
    epoch_ = epoch;
    beat_ = 0;
  }
  HoldSince(begun);
  if (former.leader && former.leader->client != self.client) {
    former_client_ = former.leader->client;
  }
  return epoch;
}

ObjectStatus Lease::Renew() {
  Change change;
  {
    const MutexLock lock(mutex_);
    change.expected = {{kEpochAttribute, PrintNumber(epoch_)}};
    change.attributes = {{kBeatAttribute, PrintNumber(++beat_)}};
  }
  const Instant begun = options_.now();
  ObjectStatus renewed = store_.Apply(kDirectoryObject, change);
  const MutexLock lock(mutex_);
  if (renewed.ok() && !stopping_) {
    HoldSince(begun);
  }
  return renewed;
}

void Lease::Keep(std::function<void(const std::string& reason)> lost) {
  renewing_ = std::thread([this, lost] { RenewLoop(lost); });
  watching_ = std::thread([this, lost] { WatchLoop(lost); });
  // The epoch shuts the former leader out of the files; this shuts it out of the store, so that it
  // notices. It may take a while, may not be permitted to us, and is not needed: nobody waits for it.
  if (!former_client_.empty()) {
    fencing_ = std::thread([this] { (void)store_.Fence(former_client_); });
  }
}

void Lease::WatchHealth(std::function<Status()> health) {
  const MutexLock lock(health_mutex_);
  health_ = std::move(health);
}

Status Lease::Health() {
  const MutexLock lock(health_mutex_);
  return health_ ? health_() : Status();
}

// No answer leaves any more when others learn that the lead is free. Should the store not answer, the
// other thread tells that the lease is over when its time is.
void Lease::StepDown() {
  held_until_ns_ = 0;
  Change change;
  {
    const MutexLock lock(mutex_);
    change.expected = {{kEpochAttribute, PrintNumber(epoch_)}};
    change.attributes = {
        {kLeaderAttribute, ""},
        {kHeirAttribute,
         PrintHeir({.epoch = epoch_, .gateway = options_.self.gateway, .is_excluded = true})}};
  }
  (void)store_.Apply(kDirectoryObject, change);
}

void Lease::RenewLoop(const std::function<void(const std::string&)>& lost) {
  while (!stopping_) {
    if (const Status health = Health(); !health) {
      StepDown();
      if (!told_.exchange(true)) {
        lost("the store can no longer write: " + health.error().message);
      }
      return;
    }
    const ObjectStatus renewed = Renew();
    const bool over = renewed.code == ObjectCode::kMismatch ||
                      renewed.code == ObjectCode::kMissing || renewed.code == ObjectCode::kFenced;
    if (over && !stopping_) {
      held_until_ns_ = 0;
      if (!told_.exchange(true)) {
        lost("another gateway has taken over: " + renewed.what);
      }
      return;
    }
    MutexLock lock(mutex_);
    if (!stopping_) {
      lock.WaitFor(wake_, options_.duration / kRenewalsPerLease);
    }
  }
}

// Beside the renewals, one of which may hang for as long as the store does. A lead that the other
// thread gives up is told by that thread, with its reason; this one looks at the time alone.
void Lease::WatchLoop(const std::function<void(const std::string&)>& lost) {
  while (!stopping_) {
    const Instant left(ends_at_ns_.load() - options_.now().count());
    if (left.count() <= 0) {
      if (!told_.exchange(true)) {
        lost("the lease could not be renewed in time");
      }
      return;
    }
    MutexLock lock(mutex_);
    if (!stopping_) {
      lock.WaitFor(wake_, left);
    }
  }
}

void Lease::Release() {
  told_ = true;
  Change change;
  {
    const MutexLock lock(mutex_);
    // Both at once, for a renewal that is on its way.
    stopping_ = true;
    held_until_ns_ = 0;
    wake_.notify_all();
    change.expected = {{kEpochAttribute, PrintNumber(epoch_)}};
  }
  change.attributes = {{kLeaderAttribute, ""}};
  (void)store_.Apply(kDirectoryObject, change);
}

}  // namespace prejoin::cluster
