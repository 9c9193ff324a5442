// Time comes in through here, so that any test can set it.
#ifndef PREJOIN_BASE_CLOCK_H_
#define PREJOIN_BASE_CLOCK_H_

#include <cstdint>

namespace prejoin {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970, UTC. Thread-safe.
  virtual std::int64_t NowMs() const = 0;

  // The machine's clock.
  static const Clock& System();
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_CLOCK_H_
