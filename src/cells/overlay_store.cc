#include "cells/overlay_store.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "cells/staged_writes.h"

namespace prejoin::cells {
namespace {

class OverlayTransaction final : public storage::Transaction {
 public:
  std::optional<std::string_view> Value(std::size_t index) const override {
    PJ_CHECK(index < values.size());
    return values[index];
  }
  void Put(std::string_view key, std::string_view value) override {
    staged.push_back({.key = std::string(key), .value = std::string(value)});
  }
  void Delete(std::string_view key) override {
    staged.push_back({.key = std::string(key), .value = std::nullopt});
  }

  storage::Store::Values values;
  StagedWrites staged;
};

}  // namespace

Result<storage::Ticket> OverlayStore::Transact(std::span<const std::string> keys, Body body) {
  OverlayTransaction transaction;
  PJ_ASSIGN_OR_RETURN(transaction.values, GetTogether(keys));
  PJ_RETURN_IF_ERROR(body(transaction));
  for (StagedWrite& write : transaction.staged) {
    changes_.insert_or_assign(std::move(write.key), std::move(write.value));
  }
  return storage::Ticket{0};
}

Result<std::optional<std::string>> OverlayStore::Get(std::string_view key) {
  const auto changed = changes_.find(key);
  return changed != changes_.end() ? changed->second : below_.Get(key);
}

Result<storage::Store::Values> OverlayStore::GetTogether(std::span<const std::string> keys) {
  Values values;
  values.reserve(keys.size());
  for (const std::string& key : keys) {
    PJ_ASSIGN_OR_RETURN(values.emplace_back(), Get(key));
  }
  return values;
}

Status OverlayStore::Visit(const storage::Range& range, Visitor visitor) {
  const bool forward = range.direction == storage::Direction::kForward;
  std::vector<Changes::const_iterator> changes;
  for (auto at = changes_.lower_bound(range.begin);
       at != changes_.end() && (range.end.empty() || at->first < range.end); ++at) {
    changes.push_back(at);
  }
  if (!forward) {
    std::ranges::reverse(changes);
  }
  auto next = changes.begin();
  storage::Visit going = storage::Visit::kContinue;
  const auto visit_change = [&] {
    const auto& [key, value] = **next++;
    going = value ? visitor(key, *value) : storage::Visit::kContinue;
  };
  PJ_RETURN_IF_ERROR(below_.Visit(range, [&](std::string_view key, std::string_view value) {
    while (going == storage::Visit::kContinue && next != changes.end() &&
           (forward ? (*next)->first < key : (*next)->first > key)) {
      visit_change();
    }
    if (going == storage::Visit::kContinue && next != changes.end() && (*next)->first == key) {
      visit_change();
    } else if (going == storage::Visit::kContinue) {
      going = visitor(key, value);
    }
    return going;
  }));
  while (going == storage::Visit::kContinue && next != changes.end()) {
    visit_change();
  }
  return {};
}

Status OverlayStore::DeleteSpace(std::uint32_t) {
  return ValidationError("the store is open for reading only");
}

}  // namespace prejoin::cells
