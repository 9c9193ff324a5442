// The most frequent keys, in bounded memory.
//
// Space-Saving: a fixed number of counters. A key without one takes over the smallest counter and
// its count, which is then the most that the key's own count can be too high by. So a key that was
// used more often than the smallest count is always among the counters.
#ifndef PREJOIN_ENGINE_ITEM_TOP_KEYS_H_
#define PREJOIN_ENGINE_ITEM_TOP_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace prejoin::engine {

inline constexpr std::size_t kInsightsCountersMax = 1000;  // The limit for each table or index; our own.

// Single thread.
class TopKeys {
 public:
  explicit TopKeys(std::size_t counters_max) : counters_max_(counters_max) {}
  TopKeys(TopKeys&&) = default;  // Not copied: counts_ points into counters_.
  TopKeys& operator=(TopKeys&&) = default;

  void Add(const std::string& key, std::uint64_t weight = 1);

  struct Counted {
    std::string key;
    std::uint64_t count = 0;
    std::uint64_t error_max = 0;
  };
  std::size_t size() const { return counters_.size(); }
  // Highest count first; keys of equal counts in bytewise order.
  std::vector<Counted> Top(std::size_t keys_max) const;

 private:
  // By count, so that the smallest is at hand.
  using Counts = std::multimap<std::uint64_t, const std::string*>;
  struct Counter {
    std::uint64_t error_max = 0;
    Counts::iterator at;
  };

  std::size_t counters_max_;
  std::unordered_map<std::string, Counter> counters_;
  Counts counts_;  // Points to the names in counters_.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_TOP_KEYS_H_
