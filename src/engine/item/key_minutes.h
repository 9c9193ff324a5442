// The keys of each minute that were counted most, for the last hours: a rule of Contributor Insights.
#ifndef PREJOIN_ENGINE_ITEM_KEY_MINUTES_H_
#define PREJOIN_ENGINE_ITEM_KEY_MINUTES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/item/top_keys.h"

namespace prejoin::engine {

inline constexpr std::size_t kInsightMinutesMax = 180;  // The limits of what is kept; our own.
inline constexpr std::size_t kInsightKeysOfMinuteMax = 100;

// Single thread.
class KeyMinutes {
 public:
  struct Minute {
    std::vector<TopKeys::Counted> keys;  // Highest count first: kInsightKeysOfMinuteMax at the most.
    std::uint64_t key_count = 0;         // All keys, up to kInsightsCountersMax.
    std::uint64_t sum = 0;               // Over all keys.
    std::uint64_t times = 0;             // The number of counts that the sum is made of.
  };
  using Minutes = std::map<std::int64_t, Minute>;  // By the time at which they begin, in milliseconds.

  void Add(const std::string& key, std::uint64_t weight, std::int64_t now_ms);
  // The minutes that begin in this time, `to_ms` excluded.
  Minutes Between(std::int64_t from_ms, std::int64_t to_ms) const;

 private:
  Minute Current() const;

  TopKeys current_{kInsightsCountersMax};
  std::uint64_t sum_ = 0;
  std::uint64_t times_ = 0;
  std::int64_t current_ms_ = 0;
  Minutes ended_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_KEY_MINUTES_H_
