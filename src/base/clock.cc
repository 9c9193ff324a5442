#include "prejoin/clock.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/mutex.h"

namespace prejoin {
namespace {

// The end of the year 9999, the last date that answers can express.
constexpr std::int64_t kLatestMs = 253'402'300'799'999;

// `ms` more, held between 1970 and the end of the calendar.
std::int64_t Later(std::int64_t now_ms, double ms) {
  const double sum = static_cast<double>(now_ms) + ms;
  if (!(sum > 0)) {
    return 0;
  }
  return sum >= static_cast<double>(kLatestMs) ? kLatestMs : now_ms + static_cast<std::int64_t>(ms);
}

class SystemClock final : public Clock {
 public:
  std::int64_t NowMs() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

struct VirtualClock::State {
  using Machine = std::chrono::steady_clock;

  // Read without the lock while the clock stands still.
  std::atomic<std::int64_t> now_ms = 0;
  std::atomic<double> rate = 0;

  Mutex mutex;
  Machine::time_point since PJ_GUARDED_BY(mutex);

  // Brings `now_ms` up to this moment.
  void Settle() PJ_REQUIRES(mutex) {
    const Machine::time_point machine_now = Machine::now();
    const std::chrono::duration<double, std::milli> passed = machine_now - since;
    now_ms = Later(now_ms, passed.count() * rate);
    since = machine_now;
  }
};

VirtualClock::VirtualClock(std::int64_t start_ms) : state_(std::make_unique<State>()) {
  state_->now_ms = start_ms;
}

VirtualClock::~VirtualClock() = default;

std::int64_t VirtualClock::NowMs() const {
  if (state_->rate > 0) {
    const MutexLock lock(state_->mutex);
    const std::chrono::duration<double, std::milli> passed = State::Machine::now() - state_->since;
    return Later(state_->now_ms, passed.count() * state_->rate);
  }
  return state_->now_ms;
}

void VirtualClock::Advance(std::int64_t by_ms) {
  const MutexLock lock(state_->mutex);
  state_->Settle();
  state_->now_ms = Later(state_->now_ms, static_cast<double>(by_ms));
}

void VirtualClock::Set(std::int64_t now_ms) {
  const MutexLock lock(state_->mutex);
  state_->Settle();
  state_->now_ms = std::clamp<std::int64_t>(now_ms, 0, kLatestMs);
}

void VirtualClock::SetRate(double rate) {
  const MutexLock lock(state_->mutex);
  state_->Settle();
  state_->rate = rate;
}

double VirtualClock::rate() const { return state_->rate; }

}  // namespace prejoin
