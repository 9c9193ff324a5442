// The disturbances of a real account: an answer takes its time, and now and then there is none.
#ifndef PREJOIN_WIRE_DISTURBANCES_H_
#define PREJOIN_WIRE_DISTURBANCES_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/random_source.h"
#include "engine/physics/fault_schedule.h"
#include "prejoin/clock.h"

namespace prejoin::wire {

// Thread-safe.
class Disturbances {
 public:
  // `has_latency`: answers take as long as AWS's. `clock` outlives this object.
  Disturbances(const Clock& clock, bool has_latency, std::uint64_t seed)
      : clock_(clock), has_latency_(has_latency), seed_(seed), random_(seed) {}

  // Replaces the rules of injected faults. Their times count from now on.
  void SetRules(std::vector<engine::FaultRule> rules) PJ_EXCLUDES(mutex_);
  bool HasRules() const { return has_rules_.load(std::memory_order_relaxed); }
  // `target` without its time.
  std::optional<engine::FaultKind> Decide(engine::FaultTarget target) PJ_EXCLUDES(mutex_);

  // 0 without latency.
  double LatencyMs(std::string_view operation, bool throttled) PJ_EXCLUDES(mutex_);

 private:
  const Clock& clock_;
  const bool has_latency_;
  const std::uint64_t seed_;
  std::atomic<bool> has_rules_ = false;

  Mutex mutex_;
  RandomSource random_ PJ_GUARDED_BY(mutex_);
  engine::FaultSchedule schedule_ PJ_GUARDED_BY(mutex_);
  std::int64_t began_ms_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_DISTURBANCES_H_
