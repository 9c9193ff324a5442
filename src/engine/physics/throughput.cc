#include "engine/physics/throughput.h"

#include <algorithm>
#include <utility>

namespace prejoin::engine {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::size_t kMinutesKept = 6 * 60;

std::size_t At(Direction direction) { return static_cast<std::size_t>(direction); }

std::int64_t DividedUp(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

std::int64_t MinuteOf(std::int64_t now_ms) { return now_ms - now_ms % kMinuteMs; }

}  // namespace

void OnDemandPeak::RaiseTo(std::int64_t units_per_second) {
  peak_ = std::max(peak_, units_per_second);
}

void OnDemandPeak::EndMinute(std::int64_t average, std::int64_t peak_minutes, std::int64_t now_ms) {
  if (average > peak_) {
    if (!since_ms_) {
      since_ms_ = now_ms - kMinuteMs;
    }
    higher_ = std::max(higher_, average);
  }
  if (since_ms_ && now_ms - *since_ms_ >= peak_minutes * kMinuteMs) {
    peak_ = higher_;
    higher_ = 0;
    since_ms_.reset();
  }
}

Throughput::Throughput(const PhysicsOptions& options, ThroughputSettings settings,
                       std::int64_t size_bytes, std::int64_t now_ms)
    : options_(options),
      settings_(std::move(settings)),
      sides_({NewSide(Direction::kRead, now_ms), NewSide(Direction::kWrite, now_ms)}),
      partitions_(options, PartitionsNeeded(), now_ms) {
  NoteSize(size_bytes, now_ms);
}

Throughput::Side Throughput::NewSide(Direction direction, std::int64_t now_ms) const {
  const bool is_read = direction == Direction::kRead;
  Side side;
  // Half of the first capacity, because twice the peak is at hand.
  side.peak =
      OnDemandPeak((is_read ? options_.on_demand_read_units : options_.on_demand_write_units) / 2);
  side.rate = TokenBucket(RateOf(direction, side.peak),
                          settings_.on_demand || options_.starts_full != 0, now_ms);
  side.quota = TokenBucket({is_read ? options_.table_read_quota : options_.table_write_quota, 1},
                           true, now_ms);
  if (const auto maximum = settings_.maximum[At(direction)]; maximum && settings_.on_demand) {
    side.maximum = TokenBucket({*maximum, 1}, true, now_ms);
  }
  return side;
}

TokenBucket::Size Throughput::RateOf(Direction direction, const OnDemandPeak& peak) const {
  if (!settings_.on_demand) {
    return {settings_.provisioned[At(direction)], options_.burst_seconds};
  }
  const std::int64_t quota =
      direction == Direction::kRead ? options_.table_read_quota : options_.table_write_quota;
  const std::int64_t capacity =
      std::max(settings_.warm[At(direction)], 2 * peak.units_per_second());
  return {std::max(std::min(capacity, quota), std::int64_t{1}), options_.partition_burst_seconds};
}

// The published formula for provisioned capacity adds both directions up; on-demand's first
// capacities only fit their documented four partitions if each is taken by itself.
//
// No request gets more than the quota, so nobody needs partitions for more, whatever UpdateTable asks for.
std::size_t Throughput::PartitionsNeeded() const {
  const auto units = [&](Direction direction) {
    const Side& side = sides_[At(direction)];
    return std::min(std::max(side.rate.units_per_second(), settings_.warm[At(direction)]),
                    side.quota.units_per_second());
  };
  const std::int64_t read = units(Direction::kRead);
  const std::int64_t write = units(Direction::kWrite);
  const std::int64_t of_reads = options_.partition_read_units;
  const std::int64_t of_writes = options_.partition_write_units;
  const std::int64_t count =
      settings_.on_demand ? std::max(DividedUp(read, of_reads), DividedUp(write, of_writes))
                          : DividedUp(read * of_writes + write * of_reads, of_reads * of_writes);
  return static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
}

void Throughput::NoteSize(std::int64_t size_bytes, std::int64_t now_ms) {
  const std::int64_t of_partition = options_.partition_gb << 30;
  partitions_.GrowTo(static_cast<std::size_t>(DividedUp(size_bytes, of_partition)),
                     PartitionCause::kSize, now_ms);
}

void Throughput::Change(ThroughputSettings settings, std::int64_t now_ms) {
  EndMinutes(now_ms);
  const bool to_on_demand = settings.on_demand && !settings_.on_demand;
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (to_on_demand) {
      // At least what was provisioned stays at hand.
      sides_[i].peak.RaiseTo(DividedUp(settings_.provisioned[i], 2));
    }
  }
  settings_ = std::move(settings);
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    Side& side = sides_[At(direction)];
    side.rate.Refill(now_ms);
    side.rate.Resize(RateOf(direction, side.peak));
    if (to_on_demand) {
      side.rate = TokenBucket(RateOf(direction, side.peak), true, now_ms);
    }
    side.maximum.reset();
    if (const auto maximum = settings_.maximum[At(direction)]; maximum && settings_.on_demand) {
      side.maximum = TokenBucket({*maximum, 1}, true, now_ms);
    }
  }
  partitions_.GrowTo(PartitionsNeeded(),
                     settings_.on_demand ? PartitionCause::kPeak : PartitionCause::kProvisioned,
                     now_ms);
}

void Throughput::EndMinutes(std::int64_t now_ms) {
  const std::int64_t minute = MinuteOf(now_ms);
  if (!minutes_.empty() && minutes_.back().begin_ms == minute) {
    return;
  }
  if (!minutes_.empty()) {
    const ThroughputMinute& ended = minutes_.back();
    const std::int64_t passed = (minute - ended.begin_ms) / kMinuteMs;
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      Side& side = sides_[At(direction)];
      const std::int64_t average = ended.consumed[At(direction)] / (60 * kMilliUnitsOfUnit);
      if (settings_.on_demand) {
        side.peak.EndMinute(average, options_.peak_minutes, ended.begin_ms + kMinuteMs);
        side.peak.EndMinute(0, options_.peak_minutes, minute);
        side.rate.Refill(now_ms);
        side.rate.Resize(RateOf(direction, side.peak));
      }
    }
    partitions_.EndMinute(passed, now_ms);
    partitions_.GrowTo(PartitionsNeeded(),
                       settings_.on_demand ? PartitionCause::kPeak : PartitionCause::kProvisioned,
                       now_ms);
  }
  minutes_.push_back({.begin_ms = minute});
  if (!settings_.on_demand) {
    minutes_.back().provisioned = settings_.provisioned;
  }
  if (minutes_.size() > kMinutesKept) {
    minutes_.pop_front();
  }
}

std::optional<Limit> Throughput::LimitOf(Side& side, TokenBucket& partition,
                                         std::int64_t now_ms) const {
  const std::int64_t debt = settings_.is_index ? options_.index_queue_seconds : 0;
  side.quota.Refill(now_ms);
  side.rate.Refill(now_ms);
  partition.Refill(now_ms);
  if (side.maximum) {
    side.maximum->Refill(now_ms);
  }
  if (!side.quota.HasRoom()) {
    return Limit::kAccount;
  }
  if (side.maximum && !side.maximum->HasRoom(debt)) {
    return Limit::kMaxOnDemand;
  }
  if (!side.rate.HasRoom(debt)) {
    // An on-demand table that cannot follow its traffic says the same as one with a hot partition.
    return settings_.on_demand ? Limit::kKeyRange : Limit::kProvisioned;
  }
  return partition.HasRoom(debt) ? std::nullopt : std::optional(Limit::kKeyRange);
}

MilliUnits Throughput::OfPartition(const Request& request) const {
  return request.eventual ? request.units * 100 / options_.eventual_read_percent : request.units;
}

std::optional<Limit> Throughput::Take(const Request& request, std::int64_t now_ms) {
  EndMinutes(now_ms);
  const std::size_t at = At(request.direction);
  Side& side = sides_[at];
  Partition& partition = partitions_.Find(request.key);
  partition.samples.Add(request.key.substr(0, request.divisible_bytes));
  ThroughputMinute& minute = minutes_.back();
  if (const auto limit = LimitOf(side, partition.buckets[at], now_ms)) {
    side.outgrown += *limit == Limit::kKeyRange && partition.buckets[at].HasRoom() ? 1 : 0;
    ++minute.throttle_events[at][static_cast<std::size_t>(*limit)];
    ++partition.throttled[at];
    return limit;
  }
  side.quota.Take(request.units);
  side.rate.Take(request.units);
  if (side.maximum) {
    side.maximum->Take(request.units);
  }
  partition.buckets[at].Take(OfPartition(request));
  partition.taken_in_minute[at] += request.units;
  partition.taken[at] += request.units;
  minute.consumed[at] += request.units;
  const bool first = minute.requests[at]++ == 0;
  minute.least[at] = first ? request.units : std::min(minute.least[at], request.units);
  minute.most[at] = std::max(minute.most[at], request.units);
  return std::nullopt;
}

void Throughput::GiveBack(const Request& request, std::int64_t now_ms) {
  EndMinutes(now_ms);
  const std::size_t at = At(request.direction);
  Side& side = sides_[at];
  Partition& partition = partitions_.Find(request.key);
  side.quota.GiveBack(request.units);
  side.rate.GiveBack(request.units);
  if (side.maximum) {
    side.maximum->GiveBack(request.units);
  }
  partition.buckets[at].GiveBack(OfPartition(request));
  // The counts of a minute that has just begun cannot go below zero.
  const auto less = [&](MilliUnits& count) {
    count = std::max<MilliUnits>(0, count - request.units);
  };
  less(partition.taken_in_minute[at]);
  less(partition.taken[at]);
  less(minutes_.back().consumed[at]);
  std::uint64_t& requests = minutes_.back().requests[at];
  requests -= requests > 0 ? 1 : 0;
}

std::int64_t Throughput::CapacityOf(Direction direction) const {
  return sides_[At(direction)].rate.units_per_second();
}

std::uint64_t Throughput::OutgrownOf(Direction direction) const {
  return sides_[At(direction)].outgrown;
}

MilliUnits Throughput::BalanceOf(Direction direction) const {
  return sides_[At(direction)].rate.balance();
}

}  // namespace prejoin::engine
