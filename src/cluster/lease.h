// The lease of the gateway that leads.
//
// The leader counts up a number in the directory object every moment, and may act until
// `kActFraction` of the lease has passed since it began the last renewal that went well. A gateway
// that has seen the number stand still for a whole lease, by its own clock, takes over: it raises
// the epoch, if nobody else has meanwhile. No two clocks are compared, only how long a time lasts on
// each; the part of the lease in which nobody acts is what they may differ by.
//
// The lease alone keeps former leaders from answering reads. That they write nothing is the epoch's
// work (object_file_system.h), and holds without any clock.
//
// A leader can be asked to hand over to a gateway by name, its heir. It closes the store and releases
// the lease; the others then leave the first lease's time to the heir.
//
// A leader whose store can no longer write steps down: it lets go without having closed anything, which
// the epoch makes safe, and leaves the first lease's time to the others, because they may have more luck.
//
// Where the clock stands still while its process does, as that of a virtual machine may that is paused as
// a whole, a former leader believes in its lease until its next renewal is refused: a sixth of the lease
// after it woke up, at most. Its reads may be stale until then. (docs/scale-out.md)
#ifndef PREJOIN_CLUSTER_LEASE_H_
#define PREJOIN_CLUSTER_LEASE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "cluster/layout.h"
#include "cluster/object_store.h"
#include "prejoin/result.h"

namespace prejoin::cluster {

// Goes on while the machine sleeps, and never back.
using Instant = std::chrono::nanoseconds;
Instant Now();

struct LeaseOptions {
  Leader self;  // `client` and `lease_ms` are filled in by the lease.
  std::chrono::milliseconds duration{6000};
  std::function<Instant()> now = Now;
  // Asked before the lead is taken: an error keeps this gateway from it.
  std::function<Status()> may_lead = [] { return Status(); };
};

// The content of the directory object.
struct LeaseState {
  std::uint64_t epoch = 0;
  std::uint64_t beat = 0;
  std::optional<Leader> leader;
  std::string secret;
  std::optional<Heir>
      heir;  // The heir of this epoch. Nullopt: the leader is to continue, and anybody may follow.

  // Returns true if this gateway may follow the leader of this epoch before the others.
  bool IsFirst(const std::string& gateway) const {
    return !heir || (heir->gateway == gateway) != heir->is_excluded;
  }
  // Returns true if the leader of this epoch, `gateway`, is asked to hand over.
  bool AsksFor(const std::string& gateway) const {
    return heir && !heir->is_excluded && heir->gateway != gateway;
  }
};
// Nullopt: there is no cluster yet.
Result<std::optional<LeaseState>> ReadLease(ObjectStore& store);

// Makes the directory object, led by nobody, if there is none.
Status EnsureCluster(ObjectStore& store);

// Asks the leader of `state` to hand over to `gateway`. An error if another one leads meanwhile.
Status NameHeir(ObjectStore& store, const LeaseState& state, const std::string& gateway);

// Thread-safe.
class Lease {
 public:
  // `store` outlives this object.
  Lease(ObjectStore& store, LeaseOptions options);
  // Ends the threads. A lease that is held stays held until its time is over: see Release.
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // One step towards the lead: looks, and takes it if it is free. The epoch if it was taken. An
  // error of the store is no end: try again.
  Result<std::optional<std::uint64_t>> TryTake() PJ_EXCLUDES(mutex_);

  // From now on renews in the background; `lost` is called once, as soon as this process must no
  // longer act. After TryTake gave an epoch. Waits for nothing.
  void Keep(std::function<void(const std::string& reason)> lost);

  // From now on asks `health` before each renewal, and steps down on an error. An empty function ends
  // that: nobody is in the old one any more when this returns.
  void WatchHealth(std::function<Status()> health) PJ_EXCLUDES(health_mutex_);

  // Returns true if this process leads now. An answer may leave only if this holds after the data was read.
  bool IsHeld() const;
  // Renews once. For tests, and Keep.
  ObjectStatus Renew() PJ_EXCLUDES(mutex_);
  // Lets the next one take over at once. Everything is written and closed.
  void Release() PJ_EXCLUDES(mutex_);

  std::chrono::milliseconds duration() const { return options_.duration; }

 private:
  void StepDown() PJ_EXCLUDES(mutex_);
  Status Health() PJ_EXCLUDES(health_mutex_);
  void RenewLoop(const std::function<void(const std::string&)>& lost) PJ_EXCLUDES(mutex_);
  void WatchLoop(const std::function<void(const std::string&)>& lost) PJ_EXCLUDES(mutex_);
  Result<std::optional<std::uint64_t>> Take(const LeaseState& former);
  void HoldSince(Instant begun);

  ObjectStore& store_;
  const LeaseOptions options_;

  std::atomic<std::int64_t> held_until_ns_ = 0;  // By the clock of the options; 0: not held.
  std::atomic<std::int64_t> ends_at_ns_ = 0;     // The same, but a lead given up early keeps it.
  std::atomic<bool> told_ = false;
  std::atomic<bool> stopping_ = false;

  Mutex health_mutex_;  // Held over a call of health_.
  std::function<Status()> health_ PJ_GUARDED_BY(health_mutex_);

  Mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t epoch_ PJ_GUARDED_BY(mutex_) = 0;
  std::uint64_t beat_ PJ_GUARDED_BY(mutex_) = 0;
  // The last change that was seen of another's lease, and when.
  std::optional<LeaseState> seen_ PJ_GUARDED_BY(mutex_);
  Instant seen_since_ PJ_GUARDED_BY(mutex_){0};

  std::string
      former_client_;  // The client of the leader before; only for the thread that takes and renews.
  std::thread renewing_;
  std::thread watching_;
  std::thread fencing_;
};

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_LEASE_H_
