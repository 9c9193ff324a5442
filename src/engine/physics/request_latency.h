// The time that AWS takes for a request. AWS publishes no percentiles: PutItem, BatchWriteItem and
// TransactWriteItems are as measured from Lambda in 2020, the others are estimates.
#ifndef PREJOIN_ENGINE_PHYSICS_REQUEST_LATENCY_H_
#define PREJOIN_ENGINE_PHYSICS_REQUEST_LATENCY_H_

#include <string_view>

#include "base/random_source.h"

namespace prejoin::engine {

// `operation`: "GetItem". A log-normal time, in milliseconds.
double DrawLatencyMs(std::string_view operation, bool throttled, RandomSource& random);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_REQUEST_LATENCY_H_
