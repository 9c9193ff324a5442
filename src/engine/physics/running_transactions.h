// The items of transactions that are still running. Here a transaction is applied at one moment, and its client
// gets the answer some milliseconds later, as on AWS; whoever wants to write one of its items meanwhile is refused.
#ifndef PREJOIN_ENGINE_PHYSICS_RUNNING_TRANSACTIONS_H_
#define PREJOIN_ENGINE_PHYSICS_RUNNING_TRANSACTIONS_H_

#include <chrono>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Thread-safe. Goes by the machine's time, as answers do.
class RunningTransactions {
 public:
  // The time from prepare to commit.
  explicit RunningTransactions(std::chrono::milliseconds length) : length_(length) {}

  std::chrono::milliseconds length() const { return length_; }

  // The transaction was applied now, and runs for `length`.
  void Began(std::string stored_key) PJ_EXCLUDES(mutex_);
  // An error if a transaction with the item is running.
  Status Check(std::string_view stored_key) const PJ_EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;

  const std::chrono::milliseconds length_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Time> ends_ PJ_GUARDED_BY(mutex_);
  std::deque<std::pair<Time, std::string>> order_ PJ_GUARDED_BY(mutex_);  // All have the same length.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_RUNNING_TRANSACTIONS_H_
