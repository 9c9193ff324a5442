// Time comes in through here, so that a test or a simulation can set it.
#ifndef PREJOIN_CLOCK_H_
#define PREJOIN_CLOCK_H_

#include <cstdint>
#include <memory>

namespace prejoin {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970, UTC. Thread-safe.
  virtual std::int64_t NowMs() const = 0;

  // The machine's clock.
  static const Clock& System();
};

// A clock that its owner moves: a day of traffic passes in seconds, and twice in the same way. It stays
// between 1970 and the end of the year 9999. Thread-safe.
class VirtualClock final : public Clock {
 public:
  // Stands still at this time.
  explicit VirtualClock(std::int64_t start_ms);
  ~VirtualClock() override;

  std::int64_t NowMs() const override;
  void Advance(std::int64_t by_ms);
  void Set(std::int64_t now_ms);
  // Seconds that pass in each second of the machine; 0: the clock stands still.
  void SetRate(double rate);
  double rate() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace prejoin

#endif  // PREJOIN_CLOCK_H_
