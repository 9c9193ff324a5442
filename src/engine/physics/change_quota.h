// How often the capacity of a table or index may be decreased, and a table be switched to on-demand capacity.
#ifndef PREJOIN_ENGINE_PHYSICS_CHANGE_QUOTA_H_
#define PREJOIN_ENGINE_PHYSICS_CHANGE_QUOTA_H_

#include <cstdint>
#include <deque>

namespace prejoin::engine {

// Four at the beginning of each UTC day and one more each hour, never more than four at hand. Single thread.
class DecreaseQuota {
 public:
  bool Has(std::int64_t now_ms);
  void Use(std::int64_t now_ms);
  int used_today() const { return used_today_; }

 private:
  void Refill(std::int64_t now_ms);

  int left_ = 4;
  int used_today_ = 0;
  std::int64_t hour_ = -1;  // Since 1970, of the last refill.
};

// Four in 24 hours. Single thread.
class SwitchQuota {
 public:
  bool Has(std::int64_t now_ms);
  void Use(std::int64_t now_ms) { switches_ms_.push_back(now_ms); }

 private:
  std::deque<std::int64_t> switches_ms_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_CHANGE_QUOTA_H_
