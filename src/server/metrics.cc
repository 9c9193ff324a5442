#include "server/metrics.h"

#include <algorithm>

#include "base/check.h"

namespace prejoin::server {
namespace {

std::size_t StatusPlace(int status) {
  const auto at = std::find(kCountedStatuses.begin(), kCountedStatuses.end(), status);
  return static_cast<std::size_t>(at - kCountedStatuses.begin());
}

std::string StatusLabel(std::size_t place) {
  return place < kCountedStatuses.size() ? std::to_string(kCountedStatuses[place]) : "other";
}

void AppendHeading(std::string_view name, std::string_view type, std::string_view help,
                   std::string& out) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n");
  out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void AppendSample(std::string_view name, std::string_view labels, std::string_view value,
                  std::string& out) {
  out.append(name);
  if (!labels.empty()) {
    out.append("{").append(labels).append("}");
  }
  out.append(" ").append(value).append("\n");
}

void AppendPlain(std::string_view name, std::string_view type, std::string_view help,
                 std::uint64_t value, std::string& out) {
  AppendHeading(name, type, help, out);
  AppendSample(name, "", std::to_string(value), out);
}

std::string Seconds(std::chrono::nanoseconds duration) {
  return std::to_string(std::chrono::duration<double>(duration).count());
}

// The counters of one operation, added up over the threads.
struct OperationTotals {
  std::array<std::uint64_t, kCountedStatuses.size() + 1> by_status{};
  std::array<std::uint64_t, kLatencyBounds.size() + 1> latency{};
  std::uint64_t latency_ns_sum = 0;
  std::uint64_t count = 0;

  void Add(const OperationMetrics& metrics) {
    for (std::size_t i = 0; i < by_status.size(); ++i) {
      by_status[i] += metrics.by_status[i].value();
    }
    for (std::size_t i = 0; i < latency.size(); ++i) {
      latency[i] += metrics.latency[i].value();
    }
    latency_ns_sum += metrics.latency_ns_sum.value();
  }
  void Finish() {
    for (const std::uint64_t bucket : latency) {
      count += bucket;
    }
  }
};

void AppendRequests(const std::vector<std::string>& names,
                    const std::vector<OperationTotals>& totals, std::string& out) {
  AppendHeading("prejoin_requests_total", "counter", "Answers by operation and HTTP status.", out);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    for (std::size_t place = 0; place < totals[i].by_status.size(); ++place) {
      if (totals[i].by_status[place] == 0) {
        continue;
      }
      AppendSample("prejoin_requests_total",
                   "operation=\"" + names[i] + "\",status=\"" + StatusLabel(place) + "\"",
                   std::to_string(totals[i].by_status[place]), out);
    }
  }
}

void AppendLatency(const std::vector<std::string>& names,
                   const std::vector<OperationTotals>& totals, std::string& out) {
  constexpr std::string_view kName = "prejoin_request_duration_seconds";
  AppendHeading(kName, "histogram",
                "From the last byte of a request to the moment its answer may leave.", out);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i].count == 0) {
      continue;
    }
    const std::string label = "operation=\"" + names[i] + "\"";
    std::uint64_t below = 0;
    for (std::size_t bucket = 0; bucket < totals[i].latency.size(); ++bucket) {
      below += totals[i].latency[bucket];
      const std::string bound =
          bucket < kLatencyBounds.size() ? Seconds(kLatencyBounds[bucket]) : "+Inf";
      AppendSample(std::string(kName) + "_bucket", label + ",le=\"" + bound + "\"",
                   std::to_string(below), out);
    }
    AppendSample(std::string(kName) + "_sum", label,
                 Seconds(std::chrono::nanoseconds(totals[i].latency_ns_sum)), out);
    AppendSample(std::string(kName) + "_count", label, std::to_string(totals[i].count), out);
  }
}

// Counters that have no operation, added up over the threads.
class ThreadSums {
 public:
  // Borrows the threads from Metrics, whose lock is held meanwhile.
  explicit ThreadSums(const std::vector<std::unique_ptr<ThreadMetrics>>& threads)
      : threads_(threads) {}

  std::uint64_t Total(Counter ThreadMetrics::*counter) const {
    std::uint64_t total = 0;
    for (const auto& thread : threads_) {
      total += (thread.get()->*counter).value();
    }
    return total;
  }
  // Ends are read before begins, so that the difference is never negative.
  std::uint64_t Open(Counter ThreadMetrics::*begun, Counter ThreadMetrics::*ended) const {
    const std::uint64_t ends = Total(ended);
    return Total(begun) - ends;
  }

 private:
  const std::vector<std::unique_ptr<ThreadMetrics>>& threads_;
};

}  // namespace

Metrics::Metrics(std::vector<std::string> operation_names)
    : operation_names_(std::move(operation_names)) {
  operation_names_.insert(operation_names_.begin(), "none");
}

void ThreadMetrics::CountAnswer(std::uint32_t operation, int status,
                                std::chrono::nanoseconds latency) {
  // A handler that serves operations which these metrics were not told of would write past the end of the vector.
  PJ_CHECK(operation < operations_.size());
  OperationMetrics& metrics = operations_[operation];
  metrics.by_status[StatusPlace(status)].Add();
  std::size_t bucket = 0;
  while (bucket < kLatencyBounds.size() && latency > kLatencyBounds[bucket]) {
    ++bucket;
  }
  metrics.latency[bucket].Add();
  metrics.latency_ns_sum.Add(static_cast<std::uint64_t>(latency.count()));
}

ThreadMetrics& Metrics::AddThread() {
  MutexLock lock(mutex_);
  threads_.push_back(std::make_unique<ThreadMetrics>(operation_names_.size()));
  return *threads_.back();
}

void Metrics::AddGauge(std::string name, std::string help, std::function<std::uint64_t()> read) {
  MutexLock lock(mutex_);
  gauges_.push_back({std::move(name), std::move(help), std::move(read)});
}

std::string Metrics::Render() const {
  std::string out;
  MutexLock lock(mutex_);
  const ThreadSums sums(threads_);
  std::vector<OperationTotals> totals(operation_names_.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    for (const auto& thread : threads_) {
      totals[i].Add(thread->operation(i));
    }
    totals[i].Finish();
  }
  AppendRequests(operation_names_, totals, out);
  AppendLatency(operation_names_, totals, out);
  AppendPlain("prejoin_received_bytes_total", "counter", "Bytes read from clients.",
              sums.Total(&ThreadMetrics::bytes_received), out);
  AppendPlain("prejoin_sent_bytes_total", "counter", "Bytes written to clients.",
              sums.Total(&ThreadMetrics::bytes_sent), out);
  AppendPlain("prejoin_connections", "gauge", "Open connections.",
              sums.Open(&ThreadMetrics::connections_opened, &ThreadMetrics::connections_closed),
              out);
  AppendPlain("prejoin_connections_total", "counter", "Connections accepted.",
              sums.Total(&ThreadMetrics::connections_opened), out);
  AppendPlain("prejoin_connections_refused_total", "counter",
              "Connections rejected because there were too many.",
              connections_refused.load(std::memory_order_relaxed), out);
  AppendPlain("prejoin_requests_in_flight", "gauge", "Requests without a finished answer.",
              sums.Open(&ThreadMetrics::requests_begun, &ThreadMetrics::requests_ended), out);
  AppendPlain("prejoin_durable_waits_total", "counter",
              "Answers that waited for a commit to be durable.",
              sums.Total(&ThreadMetrics::waits_begun), out);
  AppendPlain("prejoin_durable_waiting", "gauge", "Answers that wait for a commit now.",
              sums.Open(&ThreadMetrics::waits_begun, &ThreadMetrics::waits_ended), out);
  for (const Gauge& gauge : gauges_) {
    AppendPlain(gauge.name, "gauge", gauge.help, gauge.read(), out);
  }
  return out;
}

}  // namespace prejoin::server
