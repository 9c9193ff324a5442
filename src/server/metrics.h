// Counters of the server. Each thread writes its own, without locks or shared cache lines; a scrape
// adds them up.
#ifndef PREJOIN_SERVER_METRICS_H_
#define PREJOIN_SERVER_METRICS_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace prejoin::server {

// One writer, any number of readers.
class Counter {
 public:
  void Add(std::uint64_t amount = 1) {
    // No read-modify-write instruction: nobody else writes.
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

// Upper bounds of the latency histogram; one more bucket has no bound.
inline constexpr std::array<std::chrono::microseconds, 15> kLatencyBounds = {
    std::chrono::microseconds{50},       std::chrono::microseconds{100},
    std::chrono::microseconds{250},      std::chrono::microseconds{500},
    std::chrono::microseconds{1'000},    std::chrono::microseconds{2'500},
    std::chrono::microseconds{5'000},    std::chrono::microseconds{10'000},
    std::chrono::microseconds{25'000},   std::chrono::microseconds{50'000},
    std::chrono::microseconds{100'000},  std::chrono::microseconds{250'000},
    std::chrono::microseconds{500'000},  std::chrono::microseconds{1'000'000},
    std::chrono::microseconds{5'000'000}};

// Statuses that are counted by themselves; all others together in one more place.
inline constexpr std::array<int, 9> kCountedStatuses = {200, 204, 400, 404, 408,
                                                        413, 431, 500, 503};

struct OperationMetrics {
  std::array<Counter, kCountedStatuses.size() + 1> by_status;
  std::array<Counter, kLatencyBounds.size() + 1> latency;
  Counter latency_ns_sum;
};

// Thread-compatible for its one writer.
class alignas(64) ThreadMetrics {
 public:
  explicit ThreadMetrics(std::size_t operation_count) : operations_(operation_count) {}

  void CountAnswer(std::uint32_t operation, int status, std::chrono::nanoseconds latency);

  Counter connections_opened;
  Counter connections_closed;
  Counter requests_begun;
  Counter requests_ended;
  Counter bytes_received;
  Counter bytes_sent;
  Counter waits_begun;  // Answers that had to wait for their commit to be durable.
  Counter waits_ended;

  const OperationMetrics& operation(std::size_t index) const { return operations_[index]; }

 private:
  std::vector<OperationMetrics> operations_;
};

// Thread-safe.
class Metrics {
 public:
  // Operation 0 is what belongs to none of the named ones, which count from 1.
  explicit Metrics(std::vector<std::string> operation_names);

  std::string_view operation_name(std::uint32_t operation) const {
    return operation_names_[operation];
  }

  // A place for one more writing thread; lives as long as this object.
  ThreadMetrics& AddThread();
  // A number that is asked for when someone scrapes.
  void AddGauge(std::string name, std::string help, std::function<std::uint64_t()> read);

  // Connections that were turned away because there were too many.
  std::atomic<std::uint64_t> connections_refused = 0;

  // Prometheus text format 0.0.4.
  std::string Render() const;

 private:
  struct Gauge {
    std::string name;
    std::string help;
    std::function<std::uint64_t()> read;
  };
  std::vector<std::string> operation_names_;  // Not changed after the constructor.

  mutable Mutex mutex_;
  std::vector<std::unique_ptr<ThreadMetrics>> threads_ PJ_GUARDED_BY(mutex_);
  std::vector<Gauge> gauges_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_METRICS_H_
