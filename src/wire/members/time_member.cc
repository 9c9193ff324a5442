#include "wire/members/time_member.h"

#include <algorithm>
#include <cmath>

namespace prejoin::wire {

Status ReadTime(json::Value value, std::optional<std::int64_t>& out_ms) {
  PJ_RETURN_IF_ERROR(json::ReadInteger(value, "Date"));  // For its complaint about other types.
  constexpr double kSecondsMax = 253402300800;           // The year 10000.
  out_ms = static_cast<std::int64_t>(
      std::llround(std::clamp(value.number(), -kSecondsMax, kSecondsMax) * 1000));
  return {};
}

}  // namespace prejoin::wire
