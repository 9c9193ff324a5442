#include "simulate/check_scenario.h"

#include <algorithm>
#include <cmath>
#include <optional>
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
  const double start_hour = StartHour(workload, scenario);
  double calls = 0;
  for (const Call& call : workload.calls) {
    for (int i = 0; i < kMoments; ++i) {
      const double at_s = (i + 0.5) * step;
      calls += RateAt(call, scenario, start_hour, at_s) * FactorAt(scenario, call.name, at_s) * step;
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

double RateAt(const Call& call, const Scenario& scenario, double start_hour, double at_s) {
  if (scenario.at_peak && call.peak_per_second > 0) {
    return call.peak_per_second;
  }
  const double hour = start_hour + at_s / 3'600;
  return call.per_second * call.day.FactorAt(std::fmod(hour, model::kDayHours));
}

double StartHour(const Workload& workload, const Scenario& scenario) {
  if (scenario.start_hour) {
    return *scenario.start_hour;
  }
  const auto total_at = [&](double hour) {
    double total = 0;
    for (const Call& call : workload.calls) {
      total += RateAt(call, scenario, hour, 0);
    }
    return total;
  };
  std::optional<double> busiest;
  for (const Call& call : workload.calls) {
    for (const model::RateOfHours& one : call.day.hours) {
      for (const double hour : {one.hours.from, one.hours.to}) {
        const double at = std::fmod(hour, model::kDayHours);
        if (!busiest || total_at(at) > total_at(*busiest)) {
          busiest = at;
        }
      }
    }
  }
  return busiest.value_or(0);
}

double SecondsOf(const Workload& workload, const Scenario& scenario) {
  if (scenario.seconds) {
    return *scenario.seconds;
  }
  const double start_hour = StartHour(workload, scenario);
  double rate = 0;
  for (const Call& call : workload.calls) {
    rate += RateAt(call, scenario, start_hour, 0) * scenario.rate_factor;
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
