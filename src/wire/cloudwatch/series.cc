#include "wire/cloudwatch/series.h"

#include <numeric>

#include "engine/physics/physics.h"
#include "wire/answers/physics_json.h"

namespace prejoin::wire {
namespace {

using engine::Direction;
using engine::MetricValues;

constexpr std::string_view kCountUnit = "Count";
constexpr std::int64_t kFiveMinutesMs = 300'000;

double UnitsOf(engine::MilliUnits units) {
  return static_cast<double>(units) / static_cast<double>(engine::kMilliUnitsOfUnit);
}

// Collects values by metric and dimensions.
class SeriesTable {
 public:
  void Add(std::string_view metric, const Dimensions& dimensions, std::string_view unit,
           std::int64_t begin_ms, const MetricValues& values) {
    if (values.count == 0) {
      return;
    }
    const auto [found, is_new] = all_.try_emplace({std::string(metric), dimensions});
    if (is_new) {
      found->second = {.metric = std::string(metric), .dimensions = dimensions, .unit = unit};
    }
    found->second.minutes[begin_ms].Add(values);
  }

  std::vector<Series> Take() {
    std::vector<Series> list;
    for (auto& [name, series] : all_) {
      list.push_back(std::move(series));
    }
    return list;
  }

 private:
  std::map<std::pair<std::string, Dimensions>, Series> all_;
};

// `count` times the value 1.
MetricValues Ones(std::uint64_t count) {
  return count == 0 ? MetricValues()
                    : MetricValues{.sum = static_cast<double>(count), .min = 1, .max = 1,
                                   .count = count};
}

Dimensions DimensionsOf(const std::string& arn) {
  constexpr std::string_view kTable = ":table/";
  constexpr std::string_view kIndex = "/index/";
  const std::string names = arn.substr(arn.find(kTable) + kTable.size());
  const std::size_t at = names.find(kIndex);
  if (at == std::string::npos) {
    return {{"TableName", names}};
  }
  return {{"GlobalSecondaryIndexName", names.substr(at + kIndex.size())},
          {"TableName", names.substr(0, at)}};
}

void AddMinute(const engine::ThroughputMinute& minute, const Dimensions& dimensions,
               SeriesTable& table) {
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const auto at = static_cast<std::size_t>(direction);
    const MetricNames& names = MetricNamesOf(direction);
    table.Add(names.consumed, dimensions, kCountUnit, minute.begin_ms,
              {.sum = UnitsOf(minute.consumed[at]),
               .min = UnitsOf(minute.least[at]),
               .max = UnitsOf(minute.most[at]),
               .count = minute.requests[at]});
    const auto& events = minute.throttle_events[at];
    table.Add(names.throttled, dimensions, kCountUnit, minute.begin_ms,
              Ones(std::accumulate(events.begin(), events.end(), std::uint64_t{0})));
    for (std::size_t limit = 0; limit < engine::kLimits; ++limit) {
      table.Add(names.by_limit[limit], dimensions, kCountUnit, minute.begin_ms, Ones(events[limit]));
    }
    if (minute.provisioned[at] > 0) {
      // One value in five minutes.
      MetricValues value;
      value.Add(static_cast<double>(minute.provisioned[at]));
      table.Add(names.provisioned, dimensions, kCountUnit,
                minute.begin_ms - minute.begin_ms % kFiveMinutesMs, value);
    }
  }
}

void AddRequests(engine::RequestMetrics& metrics, SeriesTable& table) {
  metrics.ForEach([&](const std::string& name, const std::string& operation,
                      const std::deque<engine::RequestMinute>& minutes) {
    const Dimensions of_operation = {{"Operation", operation}, {"TableName", name}};
    const Dimensions of_table = {{"TableName", name}};
    for (const engine::RequestMinute& minute : minutes) {
      const std::int64_t begin_ms = minute.begin_ms;
      table.Add("SuccessfulRequestLatency", of_operation, "Milliseconds", begin_ms, minute.latency);
      table.Add("ReturnedItemCount", of_operation, kCountUnit, begin_ms, minute.item_count);
      table.Add("ThrottledRequests", of_operation, kCountUnit, begin_ms, minute.throttled);
      table.Add("SystemErrors", of_operation, kCountUnit, begin_ms, minute.system_error);
      table.Add("FaultInjectionServiceInducedErrors", of_operation, kCountUnit, begin_ms,
                minute.injected);
      table.Add("ConditionalCheckFailedRequests", of_table, kCountUnit, begin_ms,
                minute.failed_condition);
      table.Add("TransactionConflict", of_table, kCountUnit, begin_ms, minute.conflicts);
    }
  });
  for (const auto& [begin_ms, values] : metrics.UserErrors()) {
    table.Add("UserErrors", {}, kCountUnit, begin_ms, values);
  }
  for (const auto& [name, counts] : metrics.Expired()) {
    for (const auto& [begin_ms, values] : counts) {
      table.Add("TimeToLiveDeletedItemCount", {{"TableName", name}}, kCountUnit, begin_ms, values);
    }
  }
}

}  // namespace

std::vector<Series> GatherSeries(engine::Engine& engine) {
  SeriesTable table;
  engine.physics()->ForEach([&](const engine::Throughput& throughput) {
    const Dimensions dimensions = DimensionsOf(throughput.settings().arn);
    for (const engine::ThroughputMinute& minute : throughput.minutes()) {
      AddMinute(minute, dimensions, table);
    }
  });
  AddRequests(*engine.request_metrics(), table);
  return table.Take();
}

}  // namespace prejoin::wire
