// The metrics of tables, indexes and operations by CloudWatch's names, dimensions and units.
#ifndef PREJOIN_WIRE_CLOUDWATCH_SERIES_H_
#define PREJOIN_WIRE_CLOUDWATCH_SERIES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/physics/request_metrics.h"

namespace prejoin::wire {

inline constexpr std::string_view kDynamoDbNamespace = "AWS/DynamoDB";

using Dimensions = std::vector<std::pair<std::string, std::string>>;  // By name, ascending.

struct Series {
  std::string metric;
  Dimensions dimensions;
  std::string_view unit;
  std::map<std::int64_t, engine::MetricValues> minutes;  // Keyed by their beginning, in milliseconds.
};

// All that have a value, in the order of metric and dimensions. Needs physics.
std::vector<Series> GatherSeries(engine::Engine& engine);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_CLOUDWATCH_SERIES_H_
