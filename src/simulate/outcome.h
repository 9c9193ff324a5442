// The outcome of a simulation.
#ifndef PREJOIN_SIMULATE_OUTCOME_H_
#define PREJOIN_SIMULATE_OUTCOME_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/physics/limits_reached.h"

namespace prejoin::simulate {

// Latencies in steps of five percent. Single thread.
class Latencies {
 public:
  void Add(double ms) {
    const double step = std::log(std::max(ms, kLeastMs) / kLeastMs) / std::log(kFactor);
    ++counts_[std::min(static_cast<std::size_t>(step), kSteps - 1)];
    ++total_;
  }
  // 0 if there are none.
  double Percentile(double share) const {
    std::uint64_t seen = 0;
    for (std::size_t step = 0; step < kSteps && total_ > 0; ++step) {
      seen += counts_[step];
      if (static_cast<double>(seen) >= share * static_cast<double>(total_)) {
        return kLeastMs * std::pow(kFactor, static_cast<double>(step) + 0.5);
      }
    }
    return 0;
  }

 private:
  static constexpr double kLeastMs = 0.1;
  static constexpr double kFactor = 1.05;
  static constexpr std::size_t kSteps = 320;  // Up to ten minutes.
  std::array<std::uint64_t, kSteps> counts_ = {};
  std::uint64_t total_ = 0;
};

struct CallOutcome {
  std::string name;
  bool is_write = false;
  double read_factor = 1;  // Of Call.
  std::uint64_t calls = 0;
  std::uint64_t retried = 0;  // Succeeded, but not at once.
  std::uint64_t failed = 0;
  std::uint64_t attempts = 0;  // Requests that were sent.
  Latencies latencies;         // Latencies of calls that succeeded, retries included.
};

// How a client learns that it is throttled.
enum class ThrottleAnswer { kException, kCancelledTransaction, kUnprocessedKeys };

struct ThrottleKind {
  ThrottleAnswer answer = ThrottleAnswer::kException;
  engine::LimitReached limit;

  friend auto operator<=>(const ThrottleKind&, const ThrottleKind&) = default;
};

struct ThrottleOutcome {
  std::uint64_t count = 0;
  double first_s = 0;
  double last_s = 0;
  std::map<std::string, std::uint64_t> keys;   // Partition keys: a thousand at the most.
  std::map<std::string, std::uint64_t> items;  // Whole keys that are written: a thousand at the most.
  // By minute: requests that were throttled at their first attempt, less those that a retry saved; each member of a transaction or
  // batch is one. Retries are not demand: admitted units and these together are what the clients asked for.
  std::map<std::int64_t, std::int64_t> unmet;

  // The key with the highest count, and the count; the first of several.
  std::pair<std::string, std::uint64_t> HottestKey() const { return Hottest(keys); }
  std::pair<std::string, std::uint64_t> HottestItem() const { return Hottest(items); }

 private:
  static std::pair<std::string, std::uint64_t> Hottest(
      const std::map<std::string, std::uint64_t>& counts) {
    std::pair<std::string, std::uint64_t> hottest;
    for (const auto& [key, times] : counts) {
      if (times > hottest.second) {
        hottest = {key, times};
      }
    }
    return hottest;
  }
};

struct ResourceOutcome {
  std::string arn;
  bool on_demand = true;
  double read_units = 0;
  double write_units = 0;
  double read_per_second_max = 0;  // The busiest minute's average.
  double write_per_second_max = 0;
  std::map<std::int64_t, std::array<double, 2>> by_minute;  // Read and write units; the last hours.
  std::array<double, 2> units_each = {1, 1};                // The average of a request.
  std::int64_t read_capacity = 0;  // At the end.
  std::int64_t write_capacity = 0;
  std::size_t partitions_first = 0;
  std::size_t partitions = 0;
  std::size_t heat_splits = 0;
  std::uint64_t outgrown = 0;  // Throttled because the capacity on demand did not follow.
};

struct Outcome {
  double seconds = 0;
  std::optional<double> start_hour;  // Of the day, if rates change over the day.
  bool is_below_peak = false;        // The model states higher peaks than the rates that were simulated.
  CallOutcome all;
  std::vector<CallOutcome> calls;
  std::map<ThrottleKind, ThrottleOutcome> throttles;
  std::vector<ResourceOutcome> resources;
  double provisioned_read_hours = 0;  // Units times hours, over all tables and indexes.
  double provisioned_write_hours = 0;
  std::vector<std::string> scaling;  // The actions of auto scaling.
  std::map<std::string, std::uint64_t> other_errors;
  std::map<std::string, std::uint64_t> injected;  // Requests that a fault of the scenario hit.
};

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_OUTCOME_H_
