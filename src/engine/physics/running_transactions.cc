#include "engine/physics/running_transactions.h"

namespace prejoin::engine {

void RunningTransactions::Began(std::string stored_key) {
  const Time now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  while (!order_.empty() && order_.front().first <= now) {
    const auto ended = ends_.find(order_.front().second);
    if (ended != ends_.end() && ended->second <= now) {
      ends_.erase(ended);
    }
    order_.pop_front();
  }
  ends_[stored_key] = now + length_;
  order_.emplace_back(now + length_, std::move(stored_key));
}

Status RunningTransactions::Check(std::string_view stored_key) const {
  const MutexLock lock(mutex_);
  const auto found = ends_.find(std::string(stored_key));
  if (found == ends_.end() || found->second <= std::chrono::steady_clock::now()) {
    return {};
  }
  return Error{ErrorCode::kTransactionConflict, "Transaction is ongoing for the item"};
}

}  // namespace prejoin::engine
