// A token bucket: so many units a second, saved up for so many seconds.
//
// A request is admitted while the balance is above zero, and may take it below: what a page costs is
// known only after it was read. Everything is counted in thousandths of a unit, and a unit a second
// is one of them a millisecond, so that there is nothing to round.
#ifndef PREJOIN_ENGINE_PHYSICS_TOKEN_BUCKET_H_
#define PREJOIN_ENGINE_PHYSICS_TOKEN_BUCKET_H_

#include <algorithm>
#include <cstdint>

namespace prejoin::engine {

using MilliUnits = std::int64_t;
inline constexpr MilliUnits kMilliUnitsOfUnit = 1'000;
inline constexpr std::int64_t kUnitsPerSecondMax = 1'000'000'000;
inline constexpr std::int64_t kElapsedMsMax = 1'000'000'000;  // With the rate, no overflow.

// Single thread.
class TokenBucket {
 public:
  struct Size {
    std::int64_t units_per_second = 0;
    std::int64_t seconds = 1;
  };

  TokenBucket() = default;
  TokenBucket(Size size, bool full, std::int64_t now_ms)
      : rate_(std::min(size.units_per_second, kUnitsPerSecondMax)),
        capacity_(rate_ * size.seconds * kMilliUnitsOfUnit),
        balance_(full ? capacity_ : 0),
        refilled_ms_(now_ms) {}

  std::int64_t units_per_second() const { return rate_; }
  MilliUnits balance() const { return balance_; }

  // Time that goes back, when somebody sets the clock, adds nothing and takes nothing.
  void Refill(std::int64_t now_ms) {
    const std::int64_t elapsed = std::clamp<std::int64_t>(now_ms - refilled_ms_, 0, kElapsedMsMax);
    refilled_ms_ = now_ms;
    balance_ = std::min(capacity_, balance_ + elapsed * rate_);
  }
  // After Refill. `debt_seconds`: how far below zero the balance may be.
  bool HasRoom(std::int64_t debt_seconds = 0) const {
    return balance_ > -debt_seconds * rate_ * kMilliUnitsOfUnit;
  }
  void Take(MilliUnits units) { balance_ -= units; }
  void GiveBack(MilliUnits units) { balance_ = std::min(capacity_, balance_ + units); }

  // Keeps the balance, as far as the new size has room for it. After Refill.
  void Resize(Size size) {
    rate_ = std::min(size.units_per_second, kUnitsPerSecondMax);
    capacity_ = rate_ * size.seconds * kMilliUnitsOfUnit;
    balance_ = std::min(balance_, capacity_);
  }

 private:
  std::int64_t rate_ = 0;
  MilliUnits capacity_ = 0;
  MilliUnits balance_ = 0;
  std::int64_t refilled_ms_ = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_TOKEN_BUCKET_H_
