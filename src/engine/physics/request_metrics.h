// The CloudWatch metrics of requests, by table and operation, in periods of one minute of the tables' clock.
// Throughput holds the metrics of capacity.
#ifndef PREJOIN_ENGINE_PHYSICS_REQUEST_METRICS_H_
#define PREJOIN_ENGINE_PHYSICS_REQUEST_METRICS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "prejoin/clock.h"

namespace prejoin::engine {

// Values of one metric in one period.
struct MetricValues {
  double sum = 0;
  double min = 0;
  double max = 0;
  std::uint64_t count = 0;

  void Add(double value) {
    min = count == 0 ? value : std::min(min, value);
    max = count == 0 ? value : std::max(max, value);
    sum += value;
    ++count;
  }
  void Add(const MetricValues& other) {
    if (other.count > 0) {
      min = count == 0 ? other.min : std::min(min, other.min);
      max = count == 0 ? other.max : std::max(max, other.max);
      sum += other.sum;
      count += other.count;
    }
  }
};

// One request, as far as one of its tables is concerned.
struct RequestSeen {
  double latency_ms = 0;
  bool succeeded = false;
  bool throttled = false;
  bool failed_condition = false;
  bool system_error = false;
  bool injected = false;          // The error was injected.
  std::uint64_t conflicts = 0;    // Items that another request was working on.
  std::int64_t item_count = -1;   // Returned by a Query or Scan; -1: another operation.
};

struct RequestMinute {
  std::int64_t begin_ms = 0;
  MetricValues latency;  // Successful requests only, in milliseconds.
  MetricValues item_count;
  MetricValues conflicts;
  MetricValues throttled;
  MetricValues failed_condition;
  MetricValues system_error;
  MetricValues injected;
};

// Thread-safe.
class RequestMetrics {
 public:
  // `clock` outlives this object.
  explicit RequestMetrics(const Clock& clock) : clock_(clock) {}

  void Count(std::string_view table, std::string_view operation, const RequestSeen& seen)
      PJ_EXCLUDES(mutex_);
  // A request that was wrong. CloudWatch counts it for the account.
  void CountUserError() PJ_EXCLUDES(mutex_);
  // Items that expired and were deleted.
  void CountExpired(std::string_view table, std::uint64_t items) PJ_EXCLUDES(mutex_);

  // Calls `look(table, operation, minutes)` in the order of names.
  template <class Look>
  void ForEach(Look look) const PJ_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    for (const auto& [names, minutes] : by_operation_) {
      look(names.first, names.second, minutes);
    }
  }
  using Counts = std::map<std::int64_t, MetricValues>;  // Keyed by the beginning of the minute.
  Counts UserErrors() const PJ_EXCLUDES(mutex_);
  std::map<std::string, Counts, std::less<>> Expired() const PJ_EXCLUDES(mutex_);

 private:
  using Names = std::pair<std::string, std::string>;
  struct Less {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      const int order = std::string_view(a.first).compare(std::string_view(b.first));
      return order != 0 ? order < 0 : std::string_view(a.second) < std::string_view(b.second);
    }
  };

  const Clock& clock_;
  mutable Mutex mutex_;
  std::map<Names, std::deque<RequestMinute>, Less> by_operation_ PJ_GUARDED_BY(mutex_);
  Counts user_errors_ PJ_GUARDED_BY(mutex_);
  std::map<std::string, Counts, std::less<>> expired_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_REQUEST_METRICS_H_
