#include "wire/cloudwatch/window.h"

#include <algorithm>
#include <cmath>

namespace prejoin::wire {
namespace {

constexpr std::int64_t kMetricSecondsMax = 253'402'300'799;

}  // namespace

Result<Window> WindowOf(const Node& request, std::optional<double> period) {
  const auto from = request.TimeOf("StartTime");
  const auto to = request.TimeOf("EndTime");
  if (!from || !to) {
    return ValidationError("The parameters StartTime and EndTime are required.");
  }
  if (!(*from >= 0) || !(*from < *to) || *to > static_cast<double>(kMetricSecondsMax)) {
    return ValidationError("The parameter StartTime must be less than the parameter EndTime.");
  }
  if (!period || !(*period >= 1) || *period > 86'400 * 365 || *period != std::floor(*period)) {
    return ValidationError("The parameter Period must be a whole number of seconds.");
  }
  // Values are kept by the minute: a shorter period shows those.
  const std::int64_t period_s = std::max<std::int64_t>(60, static_cast<std::int64_t>(*period));
  if (period_s % 60 != 0) {
    return ValidationError("The parameter Period must be a multiple of 60.");
  }
  return Window{.from_s = static_cast<std::int64_t>(*from) / period_s * period_s,
                .to_s = static_cast<std::int64_t>(std::ceil(*to)),
                .period_s = period_s};
}

}  // namespace prejoin::wire
