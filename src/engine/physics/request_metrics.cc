#include "engine/physics/request_metrics.h"

namespace prejoin::engine {
namespace {

constexpr std::int64_t kPeriodMs = 60'000;
constexpr std::size_t kPeriodsKept = 6 * 60;
// Bounds the tables and operations that are counted; a program that makes tables up may send any name.
constexpr std::size_t kSeriesMax = 10'000;

std::int64_t PeriodOf(std::int64_t now_ms) { return now_ms - now_ms % kPeriodMs; }

void AddOneValue(std::map<std::int64_t, MetricValues>& counts, std::int64_t now_ms, double value) {
  counts[PeriodOf(now_ms)].Add(value);
  if (counts.size() > kPeriodsKept) {
    counts.erase(counts.begin());
  }
}

}  // namespace

void RequestMetrics::Count(std::string_view table, std::string_view operation,
                           const RequestSeen& seen) {
  const std::int64_t begin_ms = PeriodOf(clock_.NowMs());
  const MutexLock lock(mutex_);
  auto found = by_operation_.find(std::pair(table, operation));
  if (found == by_operation_.end()) {
    if (by_operation_.size() >= kSeriesMax) {
      return;
    }
    found = by_operation_.emplace(Names(table, operation), std::deque<RequestMinute>()).first;
  }
  std::deque<RequestMinute>& minutes = found->second;
  if (minutes.empty() || minutes.back().begin_ms != begin_ms) {
    minutes.push_back({.begin_ms = begin_ms});
    if (minutes.size() > kPeriodsKept) {
      minutes.pop_front();
    }
  }
  RequestMinute& minute = minutes.back();
  if (seen.succeeded) {
    minute.latency.Add(seen.latency_ms);
  }
  if (seen.succeeded && seen.item_count >= 0) {
    minute.item_count.Add(static_cast<double>(seen.item_count));
  }
  if (seen.conflicts > 0) {
    minute.conflicts.Add(static_cast<double>(seen.conflicts));
  }
  const auto count_if = [](bool is, MetricValues& values) {
    if (is) {
      values.Add(1);
    }
  };
  count_if(seen.throttled, minute.throttled);
  count_if(seen.failed_condition, minute.failed_condition);
  count_if(seen.system_error, minute.system_error);
  count_if(seen.injected, minute.injected);
}

void RequestMetrics::CountUserError() {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  AddOneValue(user_errors_, now_ms, 1);
}

void RequestMetrics::CountExpired(std::string_view table, std::uint64_t items) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  AddOneValue(expired_[std::string(table)], now_ms, static_cast<double>(items));
}

RequestMetrics::Counts RequestMetrics::UserErrors() const {
  const MutexLock lock(mutex_);
  return user_errors_;
}

std::map<std::string, RequestMetrics::Counts, std::less<>> RequestMetrics::Expired() const {
  const MutexLock lock(mutex_);
  return expired_;
}

}  // namespace prejoin::engine
