#include "simulate/resource_outcome.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace prejoin::simulate {

ResourceOutcome OutcomeOf(const engine::Throughput& throughput, std::int64_t start_ms) {
  constexpr auto kRead = static_cast<std::size_t>(engine::Direction::kRead);
  constexpr auto kWrite = static_cast<std::size_t>(engine::Direction::kWrite);
  ResourceOutcome resource;
  resource.arn = throughput.settings().arn;
  resource.on_demand = throughput.settings().on_demand;
  resource.read_capacity = throughput.CapacityOf(engine::Direction::kRead);
  resource.write_capacity = throughput.CapacityOf(engine::Direction::kWrite);
  resource.outgrown = throughput.OutgrownOf(engine::Direction::kRead) +
                      throughput.OutgrownOf(engine::Direction::kWrite);
  std::array<double, 2> units = {};
  std::array<double, 2> requests = {};
  for (const engine::ThroughputMinute& minute : throughput.minutes()) {
    const double read = static_cast<double>(minute.consumed[kRead]) / 1'000;
    const double write = static_cast<double>(minute.consumed[kWrite]) / 1'000;
    resource.by_minute[(minute.begin_ms - start_ms) / 60'000] = {read, write};
    for (const std::size_t i : {kRead, kWrite}) {
      units[i] += static_cast<double>(minute.consumed[i]) / 1'000;
      requests[i] += static_cast<double>(minute.requests[i]);
      resource.units_each[i] = requests[i] > 0 ? units[i] / requests[i] : 1;
    }
    resource.read_per_second_max = std::max(resource.read_per_second_max, read / 60);
    resource.write_per_second_max = std::max(resource.write_per_second_max, write / 60);
  }
  for (const engine::Partition& partition : throughput.partitions().all()) {
    ++resource.partitions;
    resource.read_units += static_cast<double>(partition.taken[kRead]) / 1'000;
    resource.write_units += static_cast<double>(partition.taken[kWrite]) / 1'000;
    resource.partitions_first += partition.cause == engine::PartitionCause::kInitial ? 1 : 0;
    resource.heat_splits += partition.cause == engine::PartitionCause::kHeat ? 1 : 0;
  }
  return resource;
}

}  // namespace prejoin::simulate
