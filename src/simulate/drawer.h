// Chooses which execution of a call comes next.
#ifndef PREJOIN_SIMULATE_DRAWER_H_
#define PREJOIN_SIMULATE_DRAWER_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/random_source.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

// Draws executions as the call's skew, or the scenario's hot key, asks for it. Single thread.
class Drawer {
 public:
  Drawer(const Call& call, double hot_share) : count_(call.executions.size()), hot_(hot_share) {
    hot_ = std::max(hot_, call.skew.hottest);
    if (call.skew.zipf > 0) {
      double sum = 0;
      for (std::size_t i = 0; i < count_; ++i) {
        sum += std::pow(static_cast<double>(i + 1), -call.skew.zipf);
        cumulative_.push_back(sum);
      }
    }
  }
  bool HasHotKey() const { return hot_ > 0; }
  std::size_t Draw(RandomSource& random) {
    if (hot_ > 0 && random.Fraction() < hot_) {
      return 0;
    }
    if (cumulative_.empty()) {
      return random.Below(count_);
    }
    const double at = random.Fraction() * cumulative_.back();
    return static_cast<std::size_t>(std::ranges::lower_bound(cumulative_, at) -
                                    cumulative_.begin());
  }

 private:
  std::size_t count_;
  double hot_;
  std::vector<double> cumulative_;
};

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_DRAWER_H_
