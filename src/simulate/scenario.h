// The scenario of a simulation: capacity, load over time, clients and objectives.
#ifndef PREJOIN_SIMULATE_SCENARIO_H_
#define PREJOIN_SIMULATE_SCENARIO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/physics/fault_schedule.h"
#include "prejoin/physics.h"
#include "prejoin/result.h"
#include "simulate/retry_policy.h"

namespace prejoin::simulate {

struct Units {
  std::int64_t read = 0;
  std::int64_t write = 0;
};

// The load of one call, or of all, is multiplied.
struct LoadChange {
  std::string call;  // A pattern's or write's name; empty: all.
  double factor = 1;
  double at_s = 0;
  double over_s = 0;               // The time that the load takes to rise to the factor.
  std::optional<double> length_s;  // Nullopt: until the end.
};

// A program that reads a whole table, page after page.
struct ScanLoad {
  std::string table;
  double pages_per_second = 0;
  double at_s = 0;
};

struct Objective {
  std::string call;  // Empty: all calls together.
  std::optional<double> p99_ms;
  std::optional<double> error_share;
};

struct Scenario {
  std::string title;
  std::optional<double> seconds;       // Nullopt: an hour, or what a million calls take.
  std::optional<Units> provisioned;    // Capacity of every table and index; nullopt: on demand.
  std::optional<int> scaling_percent;  // Target of auto scaling, of provisioned capacity.
  std::optional<Units> warm;
  RetryMode retries = RetryMode::kStandard;
  bool retries_cancelled = false;  // The program retries cancelled transactions, as its SDK retries other requests.
  int clients = 20;
  double rate_factor = 1;
  std::optional<double> start_hour;  // Of the day; nullopt: the busiest hour that the model states.
  bool at_peak = false;              // Rates are the stated peaks, at all hours.
  double hot_share = 0;  // Share of calls that use the first of all keys.
  std::string hot_call;  // Empty: all.
  std::vector<LoadChange> loads;
  std::vector<ScanLoad> scans;
  std::vector<Objective> objectives;
  std::vector<engine::FaultRule> faults;
  double timeout_s = 60;  // The timeout of the clients.
  PhysicsOptions physics;
  std::uint64_t seed = 1;
  double calls_max = 20'000'000;  // A scenario with more calls is refused: each takes microseconds.
};

// The factor of a call's rate at a time, by the changes of the scenario.
double FactorAt(const Scenario& scenario, const std::string& call, double at_s);

// One scenario, as docs/simulate.md describes the file. An error names the line.
Result<Scenario> ParseScenario(std::string_view text);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_SCENARIO_H_
