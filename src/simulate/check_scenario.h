// What a scenario must have so that it can be simulated with a workload.
#ifndef PREJOIN_SIMULATE_CHECK_SCENARIO_H_
#define PREJOIN_SIMULATE_CHECK_SCENARIO_H_

#include "prejoin/result.h"
#include "simulate/scenario.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

// The names exist, and there are some calls, and not too many.
Status CheckScenario(const Workload& workload, const Scenario& scenario);

Error TooManyCalls(const Scenario& scenario);

// The rate of a call without the changes of the scenario, at a time after the start.
double RateAt(const Call& call, const Scenario& scenario, double start_hour, double at_s);

// The hour of the day at which the simulation begins.
double StartHour(const Workload& workload, const Scenario& scenario);

// The seconds to simulate: as the scenario says, or an hour, or less if that is more than a million calls.
double SecondsOf(const Workload& workload, const Scenario& scenario);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_CHECK_SCENARIO_H_
