// A share of memory that all connections draw from.
#ifndef PREJOIN_SERVER_HTTP_MEMORY_BUDGET_H_
#define PREJOIN_SERVER_HTTP_MEMORY_BUDGET_H_

#include <atomic>
#include <cstddef>

namespace prejoin::server {

// Thread-safe.
class MemoryBudget {
 public:
  // Bytes taken here are also taken from `parent`, if there is one; it outlives this object.
  explicit MemoryBudget(std::size_t bytes_max, MemoryBudget* parent = nullptr)
      : bytes_max_(bytes_max), parent_(parent) {}

  // False, and nothing taken, if it would not fit.
  bool TryTake(std::size_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= bytes_max_ &&
        (parent_ == nullptr || parent_->TryTake(bytes))) {
      return true;
    }
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  // May exceed the bound: for small amounts that have a bound of their own.
  void Take(std::size_t bytes) {
    used_.fetch_add(bytes, std::memory_order_relaxed);
    if (parent_ != nullptr) {
      parent_->Take(bytes);
    }
  }
  void Give(std::size_t bytes) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (parent_ != nullptr) {
      parent_->Give(bytes);
    }
  }
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const std::size_t bytes_max_;
  MemoryBudget* const parent_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_MEMORY_BUDGET_H_
