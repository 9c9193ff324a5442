// How much work and memory one request may use.
//
// Work is counted in bytes that somebody looks at: an item of 10 KB under a condition of five
// operands counts 60 KB. That is coarse, but it grows as the time does, it is the same on every
// machine, and counting costs an addition for each item rather than a clock.
//
// A server runs a request twice at the most. First on the event loop, with a small allowance, so
// that the others on that loop wait for milliseconds only; a request that uses it up is abandoned
// before it has changed anything, and runs again on a worker with all that a request may have.
#ifndef PREJOIN_BASE_REQUEST_BUDGET_H_
#define PREJOIN_BASE_REQUEST_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <limits>

namespace prejoin {

// Single thread.
class RequestBudget {
 public:
  enum class Attempt {
    kFinal,  // Work beyond the budget ends a page early, or is refused.
    kTrial,  // Work beyond the budget is abandoned; somebody runs the request again.
  };

  // Without bounds, for calls that no stranger makes.
  RequestBudget() = default;
  RequestBudget(Attempt attempt, std::uint64_t work_max, std::size_t memory_bytes_max)
      : attempt_(attempt), work_max_(work_max), memory_bytes_max_(memory_bytes_max) {}

  bool is_trial() const { return attempt_ == Attempt::kTrial; }
  std::uint64_t work() const { return work_; }
  std::size_t memory_bytes() const { return memory_bytes_; }

  // False from the moment when more was charged than the request may have.
  [[nodiscard]] bool ChargeWork(std::uint64_t bytes) {
    work_ += bytes;
    return work_ <= work_max_;
  }
  // For what is kept until the answer is written; nothing is given back before.
  [[nodiscard]] bool ChargeMemory(std::size_t bytes) {
    memory_bytes_ += bytes;
    return memory_bytes_ <= memory_bytes_max_;
  }

 private:
  Attempt attempt_ = Attempt::kFinal;
  std::uint64_t work_max_ = std::numeric_limits<std::uint64_t>::max();
  std::size_t memory_bytes_max_ = std::numeric_limits<std::size_t>::max();
  std::uint64_t work_ = 0;
  std::size_t memory_bytes_ = 0;
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_REQUEST_BUDGET_H_
