// Runs a workload on the engine, with the limits of a real account.
#ifndef PREJOIN_SIMULATE_SIMULATOR_H_
#define PREJOIN_SIMULATE_SIMULATOR_H_

#include "prejoin/result.h"
#include "simulate/outcome.h"
#include "simulate/patience.h"
#include "simulate/scenario.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

// An error names a call of the scenario that the model does not have.
Result<Outcome> Simulate(const Workload& workload, const Scenario& scenario,
                         const GiveUp& give_up = {});

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_SIMULATOR_H_
