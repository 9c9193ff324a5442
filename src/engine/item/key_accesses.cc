#include "engine/item/key_accesses.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace prejoin::engine {
namespace {

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

}  // namespace

void TopKeys::Add(const std::string& key) {
  if (const auto found = counters_.find(key); found != counters_.end()) {
    auto node = counts_.extract(found->second.at);
    ++node.key();
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
  added->second.at = counts_.emplace(taken_over + 1, &added->first);
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
      item_keys_(kInsightsCountersMax) {}

void KeyAccesses::Count(const Item& item) {
  Item partition_key;
  Item key;
  for (const expr::KeyAttribute& attribute : keys_) {
    const AttributeValue& value = *item.Find(attribute.name);
    if (attribute.key_type == KeyType::kHash) {
      partition_key.Set(attribute.name, value);
    }
    key.Set(attribute.name, value);
  }
  Add(partition_key, key);
}

void KeyAccesses::Count(ItemView item) {
  Item partition_key;
  Item key;
  for (const expr::KeyAttribute& attribute : keys_) {
    const ValueView found = item.Find(attribute.name);
    if (!found) {
      return;  // A damaged item. The code that reads on reports it.
    }
    AttributeValue value = found.Decode();
    if (attribute.key_type == KeyType::kHash) {
      partition_key.Set(attribute.name, value);
    }
    key.Set(attribute.name, std::move(value));
  }
  Add(partition_key, key);
}

void KeyAccesses::Add(const Item& partition_key, const Item& key) {
  const std::string partition = EncodeItem(partition_key);
  const std::string whole = has_sort_key_ ? EncodeItem(key) : std::string();
  MutexLock lock(mutex_);
  partition_keys_.Add(partition);
  if (has_sort_key_) {
    item_keys_.Add(whole);
  }
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
