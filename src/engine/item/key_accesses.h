// Which keys of a table or index are used most, and throttled most: Contributor Insights.
#ifndef PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_
#define PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/item/key_minutes.h"
#include "engine/item/top_keys.h"
#include "expr/key_condition.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "prejoin/table_settings.h"
#include "value/encoding.h"

namespace prejoin::engine {

// Thread-safe.
class KeyAccesses {
 public:
  // `keys`: of the table or index, HASH parts first.
  explicit KeyAccesses(std::vector<expr::KeyAttribute> keys);

  // One item was read or written. It has all key attributes. `throughput` in AWS's ConsumedThroughputUnits: read units
  // and three times the write units, so that 180,000 in a minute are what a partition gives.
  void Count(const Item& item, double throughput, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  void Count(ItemView item, double throughput, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  // A request for the item was throttled, and not because of an index.
  void CountThrottle(const Item& item, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  void CountThrottle(ItemView item, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  // The same if the error says so; else returns false.
  bool CountIfThrottled(const Item& item, const Error& error, std::int64_t now_ms)
      PJ_EXCLUDES(mutex_);

  // One of AWS's four rules: consumed or throttled (C or T), by partition key or by partition and sort key (PK or SK).
  struct Rule {
    KeyMinutes::Minutes minutes;
    double unit = 1;  // One count stands for so many units or requests.
  };
  // `kind`: "PKC", "PKT", "SKC" or "SKT". The minutes begin in this time, `to_ms` excluded.
  Rule RuleOf(std::string_view kind, std::int64_t from_ms, std::int64_t to_ms) const
      PJ_EXCLUDES(mutex_);
  const std::vector<expr::KeyAttribute>& keys() const { return keys_; }

  // Adds what was counted to a report that has its names.
  void Report(std::size_t keys_max, InsightsReport& report) const PJ_EXCLUDES(mutex_);

 private:
  // The encoded partition key, and the whole key or "" without a sort key. Nullopt: a damaged item.
  using Keys = std::pair<std::string, std::string>;
  Keys KeysOf(const Item& item) const;
  std::optional<Keys> KeysOf(ItemView item) const;
  void Add(const Keys& keys, double throughput, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  void AddThrottle(const Keys& keys, std::int64_t now_ms) PJ_EXCLUDES(mutex_);

  const std::vector<expr::KeyAttribute> keys_;
  const bool has_sort_key_;

  mutable Mutex mutex_;
  TopKeys partition_keys_ PJ_GUARDED_BY(mutex_);
  TopKeys item_keys_ PJ_GUARDED_BY(mutex_);
  KeyMinutes consumed_partition_keys_ PJ_GUARDED_BY(mutex_);  // Thousandths of units.
  KeyMinutes consumed_item_keys_ PJ_GUARDED_BY(mutex_);
  KeyMinutes throttled_partition_keys_ PJ_GUARDED_BY(mutex_);
  KeyMinutes throttled_item_keys_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_KEY_ACCESSES_H_
