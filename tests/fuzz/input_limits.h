// The bounds that every input of a fuzz target has to keep, and how many different inputs there were.
#ifndef PREJOIN_TESTS_FUZZ_INPUT_LIMITS_H_
#define PREJOIN_TESTS_FUZZ_INPUT_LIMITS_H_

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "base/check.h"

namespace prejoin::fuzz {

inline double CpuSeconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Inputs so far, of the whole process. Single thread.
class InputCount {
 public:
  static InputCount& Get() {
    static InputCount& count = *new InputCount();
    return count;
  }

  // False for an input that was there before: the fuzzer makes many twice, and they would count.
  bool IsNew(std::string_view input) {
    if (!seen_.insert(std::hash<std::string_view>()(input)).second) {
      return false;
    }
    ++different_;
    return true;
  }
  // The input got past the first reader, so that it reached what the target is about.
  void Accept() { ++accepted_; }
  void Took(double seconds) { slowest_ = std::max(slowest_, seconds); }

 private:
  InputCount() { std::atexit(Print); }

  static void Print() {
    const InputCount& count = Get();
    std::fprintf(stderr, "different inputs: %zu, accepted: %zu, slowest: %.2f s of CPU time\n",
                 count.different_, count.accepted_, count.slowest_);
  }

  std::unordered_set<std::size_t> seen_;
  std::size_t different_ = 0;
  std::size_t accepted_ = 0;
  double slowest_ = 0;
};

// An input takes at most one second of CPU time, sanitizers included: unlike libFuzzer's -timeout this holds on a
// machine with much else to do. Memory is bounded by -rss_limit_mb and -malloc_limit_mb.
class InputLimits {
 public:
  // A search that is told to end takes up to 0.2 s for what it has found, and eight times as long in an instrumented build.
  static constexpr double kSearchSecondsMax = 3;

  explicit InputLimits(double seconds_max = 1) : seconds_max_(seconds_max), start_(CpuSeconds()) {}
  ~InputLimits() {
    const double taken = seconds();
    InputCount::Get().Took(taken);
    if (taken > seconds_max_) {
      std::fprintf(stderr, "this input took %.2f s of CPU time\n", taken);
    }
    PJ_CHECK(taken <= seconds_max_);
  }
  InputLimits(const InputLimits&) = delete;
  InputLimits& operator=(const InputLimits&) = delete;

  double seconds() const { return CpuSeconds() - start_; }

 private:
  const double seconds_max_;
  const double start_;
};

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_INPUT_LIMITS_H_
