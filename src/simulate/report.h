// The report of a simulation, for people and as JSON.
#ifndef PREJOIN_SIMULATE_REPORT_H_
#define PREJOIN_SIMULATE_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "model/cost/prices.h"
#include "simulate/advice.h"
#include "simulate/outcome.h"
#include "simulate/patience.h"
#include "simulate/scenario.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

struct ObjectiveResult {
  std::string text;  // "Roster p99 < 50 ms: 12.3 ms"
  bool met = false;
};

// A change on top of those before.
struct FurtherChange {
  Advice advice;
  std::optional<Outcome> outcome;  // Of the same load with it; nullopt: it cannot be simulated.
  bool helps = false;              // Fewer calls fail than without it.
};

struct Report {
  std::string file;
  Scenario scenario;
  Outcome outcome;
  std::vector<ObjectiveResult> objectives;
  std::optional<Advice> advice;
  std::optional<Outcome> with_change;  // The same load with the advice's scenario.
  std::vector<FurtherChange> further;  // For what still fails then.
  std::vector<std::string> left_out;
  double money_per_hour = 0;
  std::string currency;

  bool all_met() const;
};

// Runs the scenario, and again with one change after the other, as long as calls fail and the changes help.
Result<Report> MakeReport(const std::string& file, const Workload& workload,
                          const Scenario& scenario, const model::Prices& prices,
                          const GiveUp& give_up = {});

std::string RenderReport(const Report& report);
std::string ReportJson(const Report& report);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_REPORT_H_
