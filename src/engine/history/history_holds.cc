#include "engine/history/history_holds.h"

#include "base/check.h"

namespace prejoin::engine {

void HistoryHolds::Add(const KeptTable& table, SequenceNumber number) {
  MutexLock lock(mutex_);
  Held& held = held_[table.space];
  // A table has one history. A catalog that says otherwise is damaged; the first word counts.
  if (held.numbers.empty()) {
    held.history_space = table.history_space;
  }
  held.numbers.insert(number);
}

void HistoryHolds::Remove(const KeptTable& table, SequenceNumber number) {
  MutexLock lock(mutex_);
  const auto held = held_.find(table.space);
  PJ_CHECK(held != held_.end());
  const auto found = held->second.numbers.find(number);
  PJ_CHECK(found != held->second.numbers.end());
  held->second.numbers.erase(found);
  if (held->second.numbers.empty()) {
    held_.erase(held);
  }
}

std::optional<SequenceNumber> HistoryHolds::Lowest(std::uint32_t space) const {
  MutexLock lock(mutex_);
  const auto held = held_.find(space);
  return held == held_.end() ? std::nullopt : std::optional(*held->second.numbers.begin());
}

std::vector<KeptTable> HistoryHolds::Tables() const {
  MutexLock lock(mutex_);
  std::vector<KeptTable> tables;
  for (const auto& [space, held] : held_) {
    tables.push_back({.space = space, .history_space = held.history_space});
  }
  return tables;
}

}  // namespace prejoin::engine
