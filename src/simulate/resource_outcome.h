// What the engine counted about a table or index during a simulation.
#ifndef PREJOIN_SIMULATE_RESOURCE_OUTCOME_H_
#define PREJOIN_SIMULATE_RESOURCE_OUTCOME_H_

#include <cstdint>

#include "engine/physics/throughput.h"
#include "simulate/outcome.h"

namespace prejoin::simulate {

// `start_ms`: when the simulation began.
ResourceOutcome OutcomeOf(const engine::Throughput& throughput, std::int64_t start_ms);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_RESOURCE_OUTCOME_H_
