#include "engine/physics/change_quota.h"

#include <algorithm>

namespace prejoin::engine {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kHoursOfDay = 24;
constexpr int kChangesMax = 4;

}  // namespace

void DecreaseQuota::Refill(std::int64_t now_ms) {
  const std::int64_t hour = now_ms / kHourMs;
  if (hour / kHoursOfDay != hour_ / kHoursOfDay || hour_ < 0) {
    left_ = kChangesMax;
    used_today_ = 0;
  } else {
    left_ = static_cast<int>(
        std::min<std::int64_t>(kChangesMax, left_ + std::max<std::int64_t>(0, hour - hour_)));
  }
  hour_ = hour;
}

bool DecreaseQuota::Has(std::int64_t now_ms) {
  Refill(now_ms);
  return left_ > 0;
}

void DecreaseQuota::Use(std::int64_t now_ms) {
  Refill(now_ms);
  --left_;
  ++used_today_;
}

bool SwitchQuota::Has(std::int64_t now_ms) {
  while (!switches_ms_.empty() && switches_ms_.front() <= now_ms - kHoursOfDay * kHourMs) {
    switches_ms_.pop_front();
  }
  return switches_ms_.size() < kChangesMax;
}

}  // namespace prejoin::engine
