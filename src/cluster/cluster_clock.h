// The time that all gateways of a cluster use.
//
// Much is deleted by the time: items that expired, stream records after a day, old images, tokens. The
// leader does it, so a gateway whose machine is a day ahead would delete a day's worth when it takes the
// lead. Therefore the database goes by the clock of the shared objects, which is the same for every
// gateway: each one asks now and then how late it is there, and counts on from that by a clock that nobody
// can set. The machine's own clock is the second witness. A reading counts only if it agrees, within
// kClockDifferenceMaxMs, with the machine's clock or with what was counted on from earlier readings; so one
// wrong clock alone, wherever it is, moves nothing. A gateway whose own clock does not agree with the
// cluster's does not become the leader.
#ifndef PREJOIN_CLUSTER_CLUSTER_CLOCK_H_
#define PREJOIN_CLUSTER_CLUSTER_CLOCK_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "base/mutex.h"
#include "cluster/lease.h"
#include "cluster/object_store.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"

namespace prejoin::cluster {

// Far more than clocks differ that anybody looks after, and far less than anything is kept for.
inline constexpr std::int64_t kClockDifferenceMaxMs = 60'000;

// Thread-safe.
class ClusterClock final : public Clock {
 public:
  // `store` and `machine` outlive this object. `now` as in LeaseOptions.
  explicit ClusterClock(ObjectStore& store, const Clock& machine = Clock::System(),
                        std::function<Instant()> now = Now)
      : store_(store), machine_(machine), now_(std::move(now)) {}

  // Asks the shared objects for their time.
  ObjectStatus Measure() PJ_EXCLUDES(mutex_);

  // The cluster's time; the machine's, as long as no reading has counted.
  std::int64_t NowMs() const override PJ_EXCLUDES(mutex_);

  // The lead of the machine's clock over the shared objects', by the last reading.
  std::optional<std::int64_t> MachineAheadMs() const PJ_EXCLUDES(mutex_);

  // An error if the machine's clock does not agree with the cluster's. Nothing is said against a gateway
  // that could not read the cluster's time.
  Status MayLead() const;

 private:
  std::int64_t NowInMs() const;

  ObjectStore& store_;
  const Clock& machine_;
  const std::function<Instant()> now_;

  mutable Mutex mutex_;
  // The cluster's time less now_'s, both in milliseconds.
  std::optional<std::int64_t> offset_ms_ PJ_GUARDED_BY(mutex_);
  std::optional<std::int64_t> machine_ahead_ms_ PJ_GUARDED_BY(mutex_);
};

// "86400.0 s ahead of", "90.5 s behind".
std::string PrintClockDifference(std::int64_t ahead_ms);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_CLUSTER_CLOCK_H_
