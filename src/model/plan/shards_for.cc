// Computes into how many partitions one key of all rows of an entity must be divided.
#include <algorithm>
#include <cmath>

#include "model/plan/expectation.h"
#include "model/plan/propose.h"

namespace prejoin::model {
namespace {

// Read units per second of the patterns that list the entity without binding an attribute: all of them would read one key.
double UnitsOfListing(Expectations& figures, const Reference<Entity>& entity, double bytes) {
  double units = 0;
  for (const Pattern& pattern : figures.model().patterns) {
    for (const Section& section : pattern.sections) {
      const bool binds = std::ranges::any_of(section.conditions, [](const Condition& condition) {
        return condition.comparison == Comparison::kEqual ||
               condition.comparison == Comparison::kIn;
      });
      if (section.entity != entity || binds) {
        continue;
      }
      const double rows = section.limit
                              ? std::min(static_cast<double>(*section.limit), figures.Count(entity))
                              : figures.Count(entity);
      units += figures.PeakOf(pattern) * std::max(1.0, std::ceil(rows * bytes / 4096)) / 2;
    }
  }
  return units;
}

}  // namespace

int ShardsFor(const Model& model, const Reference<Entity>& entity, const Table& table) {
  constexpr double kPartitionWriteUnits = 1000;
  constexpr double kPartitionReadUnits = 3000;
  constexpr double kHeadroom = 1.5;
  constexpr double kPartitionBytes = 10e9;
  constexpr int kShardsMax = 4096;
  constexpr int kShardsUnknown = 8;
  Expectations figures(model);
  figures.Count(entity);
  // The file does not state the number of rows.
  if (!figures.assumptions().empty()) {
    return kShardsUnknown;
  }
  const double bytes = figures.EntryBytes(entity, View{&table, nullptr});
  double units = 0;
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.entity == entity) {
        units += figures.PeakOf(write) * step.times * std::max(1.0, std::ceil(bytes / 1024));
      }
    }
  }
  const double needed =
      std::max({units / kPartitionWriteUnits * kHeadroom,
                UnitsOfListing(figures, entity, bytes) / kPartitionReadUnits * kHeadroom,
                figures.Count(entity) * bytes / kPartitionBytes});
  int shards = 1;
  while (shards < needed && shards < kShardsMax) {
    shards *= 2;
  }
  return shards;
}

}  // namespace prejoin::model
