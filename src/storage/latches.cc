#include "storage/latches.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/patience.h"

namespace prejoin::storage {

Latches::Latches() : stripes_(std::make_unique<Stripe[]>(kStripes)) {}

std::uint32_t Latches::StripeOf(const std::string& key) {
  return static_cast<std::uint32_t>(XXH3_64bits(key.data(), key.size())) & (kStripes - 1);
}

Latches::Hold::Hold(Latches& latches, std::span<const std::string> keys) : latches_(latches) {
  stripes_.reserve(keys.size());
  for (const std::string& key : keys) {
    stripes_.push_back(StripeOf(key));
  }
  if (stripes_.size() > 1) {
    std::sort(stripes_.begin(), stripes_.end());
    stripes_.erase(std::unique(stripes_.begin(), stripes_.end()), stripes_.end());
  }
  for (std::size_t i = 0; i < stripes_.size(); ++i) {
    if (!latches_.stripes_[stripes_[i]].mutex.try_lock()) [[unlikely]] {
      holds_ = TakeContended(i);
      return;
    }
  }
}

bool Latches::Hold::TakeContended(std::size_t at) {
  if (MayWait()) {
    for (std::size_t i = at; i < stripes_.size(); ++i) {
      latches_.stripes_[stripes_[i]].mutex.lock();
    }
    return true;
  }
  NoteObstacle(stripes_[at]);
  stripes_.resize(at);
  return false;
}

Latches::Hold::~Hold() {
  for (const std::uint32_t stripe : stripes_) {
    latches_.stripes_[stripe].mutex.unlock();
  }
}

void Latches::WaitForHolders() {
  for (std::size_t i = 0; i < kStripes; ++i) {
    stripes_[i].mutex.lock();
    stripes_[i].mutex.unlock();
  }
}

Error WouldWait() {
  return {ErrorCode::kOverBudget, "storage: the request would have to wait for another"};
}

}  // namespace prejoin::storage
