// The time that a request to CloudWatch asks about.
#ifndef PREJOIN_WIRE_CLOUDWATCH_WINDOW_H_
#define PREJOIN_WIRE_CLOUDWATCH_WINDOW_H_

#include <cstdint>
#include <optional>

#include "prejoin/result.h"
#include "wire/cloudwatch/node.h"

namespace prejoin::wire {

// Whole periods.
struct Window {
  std::int64_t from_s = 0;
  std::int64_t to_s = 0;
  std::int64_t period_s = 60;
};

// `period`: in seconds, as the request has it.
Result<Window> WindowOf(const Node& request, std::optional<double> period);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_CLOUDWATCH_WINDOW_H_
