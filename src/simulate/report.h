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

struct Report {
  std::string file;
  Scenario scenario;
  Outcome outcome;
  std::vector<ObjectiveResult> objectives;
  std::optional<Advice> advice;
  std::optional<Outcome> with_change;  // The same load with the advice's scenario.
  std::vector<std::string> left_out;
  double money_per_hour = 0;
  std::string currency;

  bool all_met() const;
};

// Runs the scenario, and once more with the change, if that is one of capacity.
Result<Report> MakeReport(const std::string& file, const Workload& workload,
                          const Scenario& scenario, const model::Prices& prices,
                          const GiveUp& give_up = {});

std::string RenderReport(const Report& report);
std::string ReportJson(const Report& report);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_REPORT_H_
