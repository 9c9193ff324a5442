#include "engine/item/key_accesses.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "prejoin/physics.h"

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
  const auto* detail = dynamic_cast<const ThrottlingDetail*>(error.detail.get());
  return detail != nullptr && std::ranges::any_of(detail->reasons, [](const ThrottlingReason& reason) {
           return reason.reason.starts_with("Table");
         });
}

}  // namespace

void TopKeys::Add(const std::string& key, std::uint64_t weight) {
  if (const auto found = counters_.find(key); found != counters_.end()) {
    auto node = counts_.extract(found->second.at);
    node.key() += weight;
    found->second.at = counts_.insert(std::move(node));
    return;
  }
  std::uint64_t taken_over = 0;
  if (counters_.size() >= counters_max_) {
    const auto smallest = counts_.begin();
    taken_over = smallest->first;
    counters_.erase(*smallest->second);
    counts_.erase(smallest);
  }
  const auto added = counters_.emplace(key, Counter{.error_max = taken_over, .at = {}}).first;
  added->second.at = counts_.emplace(taken_over + weight, &added->first);
}

std::vector<TopKeys::Counted> TopKeys::Top(std::size_t keys_max) const {
  std::vector<Counted> top;
  top.reserve(counters_.size());
  for (const auto& [key, counter] : counters_) {
    top.push_back({key, counter.at->first, counter.error_max});
  }
  std::ranges::sort(top, [](const Counted& a, const Counted& b) {
    return std::tie(b.count, a.key) < std::tie(a.count, b.key);
  });
  if (top.size() > keys_max) {
    top.resize(keys_max);
  }
  return top;
}

KeyAccesses::KeyAccesses(std::vector<expr::KeyAttribute> keys)
    : keys_(std::move(keys)),
      has_sort_key_(HasSortKey(keys_)),
      partition_keys_(kInsightsCountersMax),
      item_keys_(kInsightsCountersMax),
      consumed_partition_keys_(kInsightsCountersMax),
      consumed_item_keys_(kInsightsCountersMax),
      throttled_partition_keys_(kInsightsCountersMax),
      throttled_item_keys_(kInsightsCountersMax) {}

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

void KeyAccesses::Count(const Item& item, double throughput) { Add(KeysOf(item), throughput); }

void KeyAccesses::Count(ItemView item, double throughput) {
  if (const auto keys = KeysOf(item)) {
    Add(*keys, throughput);
  }
}

void KeyAccesses::CountThrottle(const Item& item) { AddThrottle(KeysOf(item)); }

void KeyAccesses::CountThrottle(ItemView item) {
  if (const auto keys = KeysOf(item)) {
    AddThrottle(*keys);
  }
}

bool KeyAccesses::CountIfThrottled(const Item& item, const Error& error) {
  const bool throttled = IsThrottledByTable(error);
  if (throttled) {
    CountThrottle(item);
  }
  return throttled;
}

void KeyAccesses::Add(const Keys& keys, double throughput) {
  const auto weight = static_cast<std::uint64_t>(std::llround(throughput * kThousandths));
  MutexLock lock(mutex_);
  partition_keys_.Add(keys.first);
  if (weight > 0) {
    consumed_partition_keys_.Add(keys.first, weight);
  }
  if (has_sort_key_) {
    item_keys_.Add(keys.second);
    if (weight > 0) {
      consumed_item_keys_.Add(keys.second, weight);
    }
  }
}

void KeyAccesses::AddThrottle(const Keys& keys) {
  MutexLock lock(mutex_);
  throttled_partition_keys_.Add(keys.first);
  if (has_sort_key_) {
    throttled_item_keys_.Add(keys.second);
  }
}

KeyAccesses::Rule KeyAccesses::RuleOf(std::string_view kind, std::size_t keys_max) const {
  const bool consumed = kind.ends_with('C');
  const bool of_items = kind.starts_with("SK");
  MutexLock lock(mutex_);
  const TopKeys& keys = consumed ? (of_items ? consumed_item_keys_ : consumed_partition_keys_)
                                 : (of_items ? throttled_item_keys_ : throttled_partition_keys_);
  return {Decoded(keys.Top(keys_max)), consumed ? 1 / kThousandths : 1};
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
