// Where a request was throttled, and AWS's answer for it.
#ifndef PREJOIN_ENGINE_PHYSICS_LIMITS_REACHED_H_
#define PREJOIN_ENGINE_PHYSICS_LIMITS_REACHED_H_

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "prejoin/physics.h"
#include "prejoin/result.h"

namespace prejoin::engine {

enum class Direction : std::size_t { kRead, kWrite };
inline constexpr std::size_t kDirections = 2;

// In the order in which they are looked at.
enum class Limit : std::size_t { kAccount, kMaxOnDemand, kProvisioned, kKeyRange };
inline constexpr std::size_t kLimits = 4;

// A table or index that had no room for a request.
struct LimitReached {
  std::string arn;
  bool is_index = false;
  bool on_demand = false;
  Direction direction = Direction::kRead;
  Limit limit = Limit::kKeyRange;

  friend auto operator<=>(const LimitReached&, const LimitReached&) = default;
};

// "TableWriteKeyRangeThroughputExceeded"
std::string ReasonName(const LimitReached& reached);

// The detail of ThrottlingError's errors: a program that uses the library sees names, and the engine's own code sees limits.
struct LimitsDetail : ThrottlingDetail {
  std::vector<LimitReached> limits;
};

// The exception, its text and its list of reasons. The first one decides on the exception; there is
// at least one.
Error ThrottlingError(const std::vector<LimitReached>& reached);

// True if the error is one of ThrottlingError's.
bool IsThrottling(const Error& error);
// The limits that were reached; none if it is another error.
std::vector<LimitReached> LimitsOf(const Error& error);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_LIMITS_REACHED_H_
