// Partitions and throughput as JSON, with CloudWatch's names and units.
#ifndef PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_
#define PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_

#include <string>
#include <string_view>

#include "engine/physics/physics.h"

namespace prejoin::wire {

// CloudWatch's names of one direction.
struct MetricNames {
  std::string_view side;
  std::string_view consumed;
  std::string_view throttled;
  std::string_view provisioned;
  std::string_view by_limit[engine::kLimits];  // In the order of engine::Limit.
};
const MetricNames& MetricNamesOf(engine::Direction direction);

void PrintPartitions(const engine::Physics& physics, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_
