// Ends work that nobody waits for any more.
#ifndef PREJOIN_SIMULATE_PATIENCE_H_
#define PREJOIN_SIMULATE_PATIENCE_H_

#include <functional>
#include <utility>

#include "prejoin/result.h"

namespace prejoin::simulate {

// Asked often; true ends the work with kUnavailable. Empty: never.
using GiveUp = std::function<bool()>;

// Asks once in so many steps, because a step takes microseconds. Single thread.
class Patience {
 public:
  explicit Patience(GiveUp give_up) : give_up_(std::move(give_up)) {}

  bool IsOver() {
    constexpr unsigned kStepsBetween = 32;
    if (!over_ && give_up_ && ++steps_ % kStepsBetween == 0) {
      over_ = give_up_();
    }
    return over_;
  }
  Status GoOn() {
    return IsOver() ? Status(Error{ErrorCode::kUnavailable, "the simulation was cancelled"})
                    : Status();
  }

 private:
  const GiveUp give_up_;
  unsigned steps_ = 0;
  bool over_ = false;
};

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_PATIENCE_H_
