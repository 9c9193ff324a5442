#include "engine/item/top_keys.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace prejoin::engine {

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

}  // namespace prejoin::engine
