#include "wire/answers/physics_json.h"

#include <cstdint>
#include <numeric>
#include <string_view>

#include "json/writer.h"

namespace prejoin::wire {
namespace {

using engine::Direction;
using engine::Partition;
using engine::Throughput;
using engine::ThroughputMinute;

constexpr Direction kBoth[] = {Direction::kRead, Direction::kWrite};

constexpr MetricNames kMetrics[engine::kDirections] = {
    {"Read",
     "ConsumedReadCapacityUnits",
     "ReadThrottleEvents",
     "ProvisionedReadCapacityUnits",
     {"ReadAccountLimitThrottleEvents", "ReadMaxOnDemandThroughputThrottleEvents",
      "ReadProvisionedThroughputThrottleEvents", "ReadKeyRangeThroughputThrottleEvents"}},
    {"Write",
     "ConsumedWriteCapacityUnits",
     "WriteThrottleEvents",
     "ProvisionedWriteCapacityUnits",
     {"WriteAccountLimitThrottleEvents", "WriteMaxOnDemandThroughputThrottleEvents",
      "WriteProvisionedThroughputThrottleEvents", "WriteKeyRangeThroughputThrottleEvents"}},
};

double Units(engine::MilliUnits units) {
  return static_cast<double>(units) / static_cast<double>(engine::kMilliUnitsOfUnit);
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

void AppendPartition(const Partition& partition, std::string& out) {
  json::ObjectWriter object(out);
  object.String("Begin", Hex(partition.begin));
  object.Time("CreationDateTime", partition.created_ms);
  object.String("Cause", engine::NameOf(partition.cause));
  object.Integer("HotMinutes", partition.hot_minutes);
  for (const Direction direction : kBoth) {
    const auto at = static_cast<std::size_t>(direction);
    object.Double(kMetrics[at].consumed, Units(partition.taken[at]));
    object.Integer(kMetrics[at].throttled, static_cast<std::int64_t>(partition.throttled[at]));
  }
}

// One period of a minute, as GetMetricData would give it.
void AppendMinute(const ThroughputMinute& minute, std::string& out) {
  json::ObjectWriter object(out);
  object.Time("Timestamp", minute.begin_ms);
  for (const Direction direction : kBoth) {
    const auto at = static_cast<std::size_t>(direction);
    const MetricNames& names = kMetrics[at];
    const auto& events = minute.throttle_events[at];
    object.Double(names.consumed, Units(minute.consumed[at]));
    object.Integer(names.throttled, static_cast<std::int64_t>(std::accumulate(
                                        events.begin(), events.end(), std::uint64_t{0})));
    for (std::size_t limit = 0; limit < engine::kLimits; ++limit) {
      if (events[limit] > 0) {
        object.Integer(names.by_limit[limit], static_cast<std::int64_t>(events[limit]));
      }
    }
  }
}

void AppendThroughput(const Throughput& throughput, std::string& out) {
  json::ObjectWriter object(out);
  object.String("Resource", throughput.settings().arn);
  object.String("BillingMode", throughput.settings().on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  for (const Direction direction : kBoth) {
    json::ObjectWriter side(object.Name(kMetrics[static_cast<std::size_t>(direction)].side));
    side.Integer("UnitsPerSecond", throughput.CapacityOf(direction));
    side.Double("Balance", Units(throughput.BalanceOf(direction)));
  }
  json::AppendArray(throughput.partitions().all(), object.Name("Partitions"),
                    [&](const Partition& partition) { AppendPartition(partition, out); });
  json::AppendArray(throughput.minutes(), object.Name("Metrics"),
                    [&](const ThroughputMinute& minute) { AppendMinute(minute, out); });
}

}  // namespace

const MetricNames& MetricNamesOf(engine::Direction direction) {
  return kMetrics[static_cast<std::size_t>(direction)];
}

void PrintPartitions(const engine::Physics& physics, std::string& out) {
  json::ObjectWriter object(out);
  {
    json::ObjectWriter parameters(object.Name("Parameters"));
    for (const PhysicsParameter& parameter : PhysicsParameters()) {
      json::ObjectWriter entry(parameters.Key(parameter.name));
      entry.Integer("Value", physics.options().*(parameter.member));
      entry.Bool("DocumentedByAws", parameter.documented);
    }
  }
  std::string& list = object.Name("Resources");
  list.push_back('[');
  bool first = true;
  physics.ForEach([&](const Throughput& throughput) {
    list.append(first ? "" : ",");
    first = false;
    AppendThroughput(throughput, list);
  });
  list.push_back(']');
}

}  // namespace prejoin::wire
