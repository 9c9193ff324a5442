// The clock of a database whose program may move it.
#ifndef PREJOIN_CAPI_MOVABLE_CLOCK_H_
#define PREJOIN_CAPI_MOVABLE_CLOCK_H_

#include <atomic>
#include <cstdint>

#include "prejoin/clock.h"

namespace prejoin::capi {

// The machine's clock, moved forward.
class MovableClock final : public Clock {
 public:
  std::int64_t NowMs() const override {
    return Clock::System().NowMs() + ahead_ms_.load(std::memory_order_relaxed);
  }
  std::int64_t ahead_ms() const { return ahead_ms_.load(std::memory_order_relaxed); }
  void set_ahead_ms(std::int64_t ahead_ms) { ahead_ms_ = ahead_ms; }
  void Advance(std::int64_t by_ms) { ahead_ms_ += by_ms; }

 private:
  std::atomic<std::int64_t> ahead_ms_ = 0;
};

}  // namespace prejoin::capi

#endif  // PREJOIN_CAPI_MOVABLE_CLOCK_H_
