// The throughput of one table or global index: its buckets, its partitions and what was counted.
//
// Adaptive capacity is immediate: a partition may take any share of the table's rate, so there is one
// bucket for the table and a ceiling for each partition, and nothing is divided by their number.
#ifndef PREJOIN_ENGINE_PHYSICS_THROUGHPUT_H_
#define PREJOIN_ENGINE_PHYSICS_THROUGHPUT_H_

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "engine/physics/limits_reached.h"
#include "engine/physics/partitions.h"
#include "engine/physics/token_bucket.h"
#include "prejoin/physics.h"

namespace prejoin::engine {

// The throughput in the description of a table or index, by direction.
struct ThroughputSettings {
  std::string arn;
  bool is_index = false;
  bool on_demand = false;
  std::array<std::int64_t, kDirections> provisioned = {};
  std::array<std::optional<std::int64_t>, kDirections> maximum;  // On demand only.
  std::array<std::int64_t, kDirections> warm = {};               // 0: not set.
};

// The highest load of an on-demand table so far. Single thread.
class OnDemandPeak {
 public:
  explicit OnDemandPeak(std::int64_t units_per_second = 0) : peak_(units_per_second) {}
  std::int64_t units_per_second() const { return peak_; }
  void RaiseTo(std::int64_t units_per_second);
  // A minute with this average has ended at `now_ms`. A new peak counts when `peak_minutes` have
  // passed since it began.
  void EndMinute(std::int64_t average, std::int64_t peak_minutes, std::int64_t now_ms);

 private:
  std::int64_t peak_;
  std::int64_t higher_ = 0;  // The highest average since the new peak began.
  std::optional<std::int64_t> since_ms_;
};

// The counts of one minute.
struct ThroughputMinute {
  std::int64_t begin_ms = 0;
  std::array<MilliUnits, kDirections> consumed = {};
  // Requests that consumed something, and the smallest and largest of them.
  std::array<std::uint64_t, kDirections> requests = {};
  std::array<MilliUnits, kDirections> least = {};
  std::array<MilliUnits, kDirections> most = {};
  std::array<std::int64_t, kDirections> provisioned = {};  // 0: on demand.
  std::array<std::array<std::uint64_t, kLimits>, kDirections> throttle_events = {};
};

// Single thread.
class Throughput {
 public:
  Throughput(const PhysicsOptions& options, ThroughputSettings settings, std::int64_t size_bytes,
             std::int64_t now_ms);

  struct Request {
    Direction direction = Direction::kRead;
    std::string_view key;  // Stored, without its space.
    // The length at which a split may cut the key. Behind it are keys of one item, or one collection.
    std::size_t divisible_bytes = 0;
    MilliUnits units = 0;
    bool eventual = false;
  };
  // Takes the units from all buckets, or from none: then it says which limit is reached.
  std::optional<Limit> Take(const Request& request, std::int64_t now_ms);
  // The request was not executed after all.
  void GiveBack(const Request& request, std::int64_t now_ms);

  // UpdateTable has changed the settings.
  void Change(ThroughputSettings settings, std::int64_t now_ms);
  // The table has grown to this size.
  void NoteSize(std::int64_t size_bytes, std::int64_t now_ms);

  const ThroughputSettings& settings() const { return settings_; }
  const Partitions& partitions() const { return partitions_; }
  // Units a second that the table or index can have now, without burst.
  std::int64_t CapacityOf(Direction direction) const;
  MilliUnits BalanceOf(Direction direction) const;
  // Requests that were throttled because an on-demand table or index had outgrown its capacity, and
  // not because of one partition: both have the same reason.
  std::uint64_t OutgrownOf(Direction direction) const;
  // The minutes of the last hours in which something happened, oldest first. The last one continues.
  const std::deque<ThroughputMinute>& minutes() const { return minutes_; }

 private:
  struct Side {
    TokenBucket rate;
    TokenBucket quota;
    std::optional<TokenBucket> maximum;
    OnDemandPeak peak;
    std::uint64_t outgrown = 0;
  };

  Side NewSide(Direction direction, std::int64_t now_ms) const;
  TokenBucket::Size RateOf(Direction direction, const OnDemandPeak& peak) const;
  std::size_t PartitionsNeeded() const;
  void EndMinutes(std::int64_t now_ms);
  std::optional<Limit> LimitOf(Side& side, TokenBucket& partition, std::int64_t now_ms) const;
  MilliUnits OfPartition(const Request& request) const;

  const PhysicsOptions& options_;
  ThroughputSettings settings_;
  std::array<Side, kDirections> sides_;
  Partitions partitions_;
  std::deque<ThroughputMinute> minutes_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_THROUGHPUT_H_
