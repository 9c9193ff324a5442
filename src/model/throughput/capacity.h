// The throughput that each table and index must have at the stated rates, what it costs by capacity mode, and what
// throttles on the first day (docs/physics.md).
#ifndef PREJOIN_MODEL_THROUGHPUT_CAPACITY_H_
#define PREJOIN_MODEL_THROUGHPUT_CAPACITY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/cost/prices.h"
#include "model/plan/expectation.h"
#include "model/plan/plan.h"

namespace prejoin::model {

// What a new on-demand table or index serves, and the quota of one table (AWS, 2026).
inline constexpr double kNewTableReadUnits = 12'000;
inline constexpr double kNewTableWriteUnits = 4'000;
inline constexpr double kTableUnitsQuota = 40'000;

// Units a second.
struct Throughput {
  double average = 0;
  double peak = 0;
};

// Of a table with its local indexes, or of a global index.
struct CapacityNeed {
  std::string view;
  bool is_index = false;
  SourceSpan at;
  Throughput reads;
  Throughput writes;
};

struct CapacityPlan {
  std::vector<CapacityNeed> needs;
  // A month, without storage.
  double on_demand = 0;
  double at_peak = 0;      // Provisioned for the peak at all times.
  double auto_scaled = 0;  // Provisioned for the load that the target of auto scaling allows.
};

CapacityPlan PlanCapacity(Expectations& figures, const std::vector<Plan>& plans, const Prices& prices);

// True if a new on-demand table or index throttles at this peak.
bool OutgrowsNewTable(const CapacityNeed& need);

// The price, once, of warming a new table or index for this peak: AWS charges a provisioned unit of an hour for each unit
// above those that a new one has.
double WarmMoney(const Prices& prices, double read_units_per_second, double write_units_per_second);

// The capacity below which auto scaling loses requests when the load jumps from its average to its peak: it sees the
// load for two minutes and needs about two more, and burst capacity has what 300 seconds before did not use.
double LeastForJump(const Throughput& throughput);

// A table, the money by capacity mode, and what to do before launch. Empty without rates. `width`: of the terminal, in columns.
std::string RenderCapacity(const CapacityPlan& plan, const Prices& prices, std::size_t width);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_THROUGHPUT_CAPACITY_H_
