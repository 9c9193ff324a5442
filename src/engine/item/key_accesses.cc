#include "engine/item/key_accesses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/physics/limits_reached.h"

namespace prejoin::engine {
namespace {

constexpr double kThousandths = 1'000;

bool HasSortKey(const std::vector<expr::KeyAttribute>& keys) {
  return std::ranges::any_of(
      keys, [](const expr::KeyAttribute& key) { return key.key_type == KeyType::kRange; });
}

std::vector<KeyAccessCount> Decoded(const std::vector<TopKeys::Counted>& counted) {
  std::vector<KeyAccessCount> keys;
  keys.reserve(counted.size());
  for (const TopKeys::Counted& entry : counted) {
    keys.push_back({ItemView(entry.key).Decode(), entry.count, entry.error_max});
  }
  return keys;
}

// Throttled, and not only because of an index.
bool IsThrottledByTable(const Error& error) {
  return std::ranges::any_of(LimitsOf(error),
                             [](const LimitReached& reached) { return !reached.is_index; });
}

}  // namespace

KeyAccesses::KeyAccesses(std::vector<expr::KeyAttribute> keys)
    : keys_(std::move(keys)),
      has_sort_key_(HasSortKey(keys_)),
      partition_keys_(kInsightsCountersMax),
      item_keys_(kInsightsCountersMax) {}

KeyAccesses::Keys KeyAccesses::KeysOf(const Item& item) const {
  Item partition_key;
  Item key;
  for (const expr::KeyAttribute& attribute : keys_) {
    const AttributeValue& value = *item.Find(attribute.name);
    if (attribute.key_type == KeyType::kHash) {
      partition_key.Set(attribute.name, value);
    }
    key.Set(attribute.name, value);
  }
  return {EncodeItem(partition_key), has_sort_key_ ? EncodeItem(key) : std::string()};
}

std::optional<KeyAccesses::Keys> KeyAccesses::KeysOf(ItemView item) const {
  Item whole;
  for (const expr::KeyAttribute& attribute : keys_) {
    const ValueView found = item.Find(attribute.name);
    if (!found) {
      return std::nullopt;  // A damaged item. The code that reads on reports it.
    }
    whole.Set(attribute.name, found.Decode());
  }
  return KeysOf(whole);
}

void KeyAccesses::Count(const Item& item, double throughput, std::int64_t now_ms) {
  Add(KeysOf(item), throughput, now_ms);
}

void KeyAccesses::Count(ItemView item, double throughput, std::int64_t now_ms) {
  if (const auto keys = KeysOf(item)) {
    Add(*keys, throughput, now_ms);
  }
}

void KeyAccesses::CountThrottle(const Item& item, std::int64_t now_ms) {
  AddThrottle(KeysOf(item), now_ms);
}

void KeyAccesses::CountThrottle(ItemView item, std::int64_t now_ms) {
  if (const auto keys = KeysOf(item)) {
    AddThrottle(*keys, now_ms);
  }
}

bool KeyAccesses::CountIfThrottled(const Item& item, const Error& error, std::int64_t now_ms) {
  const bool throttled = IsThrottledByTable(error);
  if (throttled) {
    CountThrottle(item, now_ms);
  }
  return throttled;
}

void KeyAccesses::Add(const Keys& keys, double throughput, std::int64_t now_ms) {
  const auto weight = static_cast<std::uint64_t>(std::llround(throughput * kThousandths));
  MutexLock lock(mutex_);
  partition_keys_.Add(keys.first);
  if (weight > 0) {
    consumed_partition_keys_.Add(keys.first, weight, now_ms);
  }
  if (has_sort_key_) {
    item_keys_.Add(keys.second);
    if (weight > 0) {
      consumed_item_keys_.Add(keys.second, weight, now_ms);
    }
  }
}

void KeyAccesses::AddThrottle(const Keys& keys, std::int64_t now_ms) {
  MutexLock lock(mutex_);
  throttled_partition_keys_.Add(keys.first, 1, now_ms);
  if (has_sort_key_) {
    throttled_item_keys_.Add(keys.second, 1, now_ms);
  }
}

KeyAccesses::Rule KeyAccesses::RuleOf(std::string_view kind, std::int64_t from_ms,
                                      std::int64_t to_ms) const {
  const bool consumed = kind.ends_with('C');
  const bool of_items = kind.starts_with("SK");
  MutexLock lock(mutex_);
  const KeyMinutes& keys = consumed ? (of_items ? consumed_item_keys_ : consumed_partition_keys_)
                                    : (of_items ? throttled_item_keys_ : throttled_partition_keys_);
  return {keys.Between(from_ms, to_ms), consumed ? 1 / kThousandths : 1};
}

void KeyAccesses::Report(std::size_t keys_max, InsightsReport& report) const {
  std::vector<TopKeys::Counted> partition_keys;
  std::vector<TopKeys::Counted> item_keys;
  {
    MutexLock lock(mutex_);
    partition_keys = partition_keys_.Top(keys_max);
    item_keys = item_keys_.Top(keys_max);
  }
  report.partition_keys = Decoded(partition_keys);
  report.keys = Decoded(item_keys);
}

}  // namespace prejoin::engine
