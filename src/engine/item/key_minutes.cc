#include "engine/item/key_minutes.h"

#include <algorithm>
#include <utility>

namespace prejoin::engine {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

// A clock that was set back brings a minute again.
void Join(KeyMinutes::Minute more, KeyMinutes::Minute& minute) {
  TopKeys joined(2 * kInsightKeysOfMinuteMax);
  for (const auto* keys : {&minute.keys, &more.keys}) {
    for (const TopKeys::Counted& counted : *keys) {
      joined.Add(counted.key, counted.count);
    }
  }
  minute.keys = joined.Top(kInsightKeysOfMinuteMax);
  minute.key_count = std::max(minute.key_count, more.key_count);
  minute.sum += more.sum;
  minute.times += more.times;
}

}  // namespace

void KeyMinutes::Add(const std::string& key, std::uint64_t weight, std::int64_t now_ms) {
  const std::int64_t minute_ms = now_ms - now_ms % kMinuteMs;
  if (minute_ms != current_ms_) {
    if (times_ > 0) {
      Join(Current(), ended_[current_ms_]);
    }
    if (ended_.size() > kInsightMinutesMax) {
      ended_.erase(ended_.begin());
    }
    current_ = TopKeys(kInsightsCountersMax);
    sum_ = times_ = 0;
    current_ms_ = minute_ms;
  }
  current_.Add(key, weight);
  sum_ += weight;
  ++times_;
}

KeyMinutes::Minute KeyMinutes::Current() const {
  return {.keys = current_.Top(kInsightKeysOfMinuteMax),
          .key_count = current_.size(),
          .sum = sum_,
          .times = times_};
}

KeyMinutes::Minutes KeyMinutes::Between(std::int64_t from_ms, std::int64_t to_ms) const {
  Minutes minutes;
  for (auto at = ended_.lower_bound(from_ms); at != ended_.end() && at->first < to_ms; ++at) {
    minutes.insert(*at);
  }
  if (times_ > 0 && current_ms_ >= from_ms && current_ms_ < to_ms) {
    Join(Current(), minutes[current_ms_]);
  }
  return minutes;
}

}  // namespace prejoin::engine
