#include "simulate/check_scenario.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/physics/setting_words.h"

namespace prejoin::simulate {
namespace {

constexpr double kCallsMax = 1'000'000;  // Without a length in the scenario.

bool HasCall(const Workload& workload, const std::string& name) {
  return name.empty() ||
         std::ranges::find(workload.calls, name, &Call::name) != workload.calls.end();
}

Status CheckNames(const Workload& workload, const Scenario& scenario) {
  std::vector<std::string> names = {scenario.hot_call};
  for (const LoadChange& load : scenario.loads) {
    names.push_back(load.call);
  }
  for (const Objective& objective : scenario.objectives) {
    names.push_back(objective.call);
  }
  for (const std::string& name : names) {
    if (!HasCall(workload, name)) {
      return ValidationError("the scenario names " + name +
                             ", and the model has no pattern or write of that name with a rate");
    }
  }
  for (const ScanLoad& scan : scenario.scans) {
    if (std::ranges::find(workload.tables, scan.table, &CreateTableInput::table_name) ==
        workload.tables.end()) {
      return ValidationError("the scenario scans " + scan.table +
                             ", and the model has no table of that name");
    }
  }
  return {};
}

// The calls and pages that are to be expected, by the load at so many moments.
double ExpectedCalls(const Workload& workload, const Scenario& scenario) {
  constexpr int kMoments = 1'000;
  const double step = SecondsOf(workload, scenario) / kMoments;
  double calls = 0;
  for (const Call& call : workload.calls) {
    for (int i = 0; i < kMoments; ++i) {
      const double at_s = (i + 0.5) * step;
      calls += RateAt(call, scenario) * FactorAt(scenario, call.name, at_s) * step;
    }
  }
  for (const ScanLoad& scan : scenario.scans) {
    calls += scan.pages_per_second * step * kMoments;
  }
  return calls;
}

}  // namespace

Error TooManyCalls(const Scenario& scenario) {
  return ValidationError("the scenario makes more than " +
                         std::to_string(std::llround(scenario.calls_max / 1e6)) +
                         " million calls: simulate fewer minutes, or multiply the rates by less");
}

double RateAt(const Call& call, const Scenario& scenario) {
  return scenario.at_peak && call.peak_per_second > 0 ? call.peak_per_second : call.per_second;
}

double SecondsOf(const Workload& workload, const Scenario& scenario) {
  if (scenario.seconds) {
    return *scenario.seconds;
  }
  double rate = 0;
  for (const Call& call : workload.calls) {
    rate += RateAt(call, scenario) * scenario.rate_factor;
  }
  return std::clamp(kCallsMax / std::max(rate, 1e-9), 1.0, 3'600.0);
}

Status CheckScenario(const Workload& workload, const Scenario& scenario) {
  PJ_RETURN_IF_ERROR(CheckNames(workload, scenario));
  if (!(SecondsOf(workload, scenario) <= engine::kSettingSecondsMax)) {
    return ValidationError("a simulation has at most 7 days: simulate fewer minutes");
  }
  const double calls = ExpectedCalls(workload, scenario);
  if (calls <= 0) {
    return ValidationError("the scenario makes no calls, because all rates are 0");
  }
  if (!(calls <= scenario.calls_max)) {
    return TooManyCalls(scenario);
  }
  return {};
}

}  // namespace prejoin::simulate
