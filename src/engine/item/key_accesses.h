// Which keys of a table or index are used most, and throttled most, in bounded memory: Contributor Insights.
//
// Space-Saving: a fixed number of counters. A key without one takes over the smallest counter and
// its count, which is then the most that the key's own count can be too high by. So a key that was
// used more often than the smallest count is always among the counters.
#ifndef PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_
#define PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "expr/key_condition.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "prejoin/table_settings.h"
#include "value/encoding.h"

namespace prejoin::engine {

inline constexpr std::size_t kInsightsCountersMax = 1000;  // The limit for each table or index; our own.

// Single thread.
class TopKeys {
 public:
  explicit TopKeys(std::size_t counters_max) : counters_max_(counters_max) {}

  void Add(const std::string& key, std::uint64_t weight = 1);

  struct Counted {
    std::string key;
    std::uint64_t count = 0;
    std::uint64_t error_max = 0;
  };
  // Highest count first; keys of equal counts in bytewise order.
  std::vector<Counted> Top(std::size_t keys_max) const;

 private:
  // By count, so that the smallest is at hand.
  using Counts = std::multimap<std::uint64_t, const std::string*>;
  struct Counter {
    std::uint64_t error_max = 0;
    Counts::iterator at;
  };

  const std::size_t counters_max_;
  std::unordered_map<std::string, Counter> counters_;
  Counts counts_;  // Points to the names in counters_.
};

// Thread-safe.
class KeyAccesses {
 public:
  // `keys`: of the table or index, HASH parts first.
  explicit KeyAccesses(std::vector<expr::KeyAttribute> keys);

  // One item was read or written. It has all key attributes. `throughput` in AWS's ConsumedThroughputUnits: read units
  // and three times the write units, so that 180,000 in a minute are what a partition gives.
  void Count(const Item& item, double throughput) PJ_EXCLUDES(mutex_);
  void Count(ItemView item, double throughput) PJ_EXCLUDES(mutex_);
  // A request for the item was throttled, and not because of an index.
  void CountThrottle(const Item& item) PJ_EXCLUDES(mutex_);
  void CountThrottle(ItemView item) PJ_EXCLUDES(mutex_);
  // The same if the error says so; else returns false.
  bool CountIfThrottled(const Item& item, const Error& error) PJ_EXCLUDES(mutex_);

  // Those of AWS's four rules: consumed or throttled (C or T), by partition key or by partition and sort key (PK or SK).
  struct Rule {
    std::vector<KeyAccessCount> contributors;  // Highest first.
    double unit = 1;                           // One count stands for so many units or requests.
  };
  // `kind`: "PKC", "PKT", "SKC" or "SKT".
  Rule RuleOf(std::string_view kind, std::size_t keys_max) const PJ_EXCLUDES(mutex_);
  const std::vector<expr::KeyAttribute>& keys() const { return keys_; }

  // Adds what was counted to a report that has its names.
  void Report(std::size_t keys_max, InsightsReport& report) const PJ_EXCLUDES(mutex_);

 private:
  // The encoded partition key, and the whole key or "" without a sort key. Nullopt: a damaged item.
  using Keys = std::pair<std::string, std::string>;
  Keys KeysOf(const Item& item) const;
  std::optional<Keys> KeysOf(ItemView item) const;
  void Add(const Keys& keys, double throughput) PJ_EXCLUDES(mutex_);
  void AddThrottle(const Keys& keys) PJ_EXCLUDES(mutex_);

  const std::vector<expr::KeyAttribute> keys_;
  const bool has_sort_key_;

  mutable Mutex mutex_;
  TopKeys partition_keys_ PJ_GUARDED_BY(mutex_);
  TopKeys item_keys_ PJ_GUARDED_BY(mutex_);
  TopKeys consumed_partition_keys_ PJ_GUARDED_BY(mutex_);  // Thousandths of units.
  TopKeys consumed_item_keys_ PJ_GUARDED_BY(mutex_);
  TopKeys throttled_partition_keys_ PJ_GUARDED_BY(mutex_);
  TopKeys throttled_item_keys_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_
