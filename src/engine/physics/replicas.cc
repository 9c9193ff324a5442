#include "engine/physics/replicas.h"

#include <algorithm>
#include <utility>

namespace prejoin::engine {
namespace {

constexpr std::size_t kReplicaCount = 3;
// The limit for old records. Beyond it the oldest writes have reached every replica.
constexpr std::size_t kOldBytesMax = std::size_t{64} << 20;

std::size_t BytesOf(const OlderRecord& record) { return record ? record->size() : 0; }

}  // namespace

void Replicas::Wrote(std::string_view stored_key, OlderRecord old_record) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  ForgetOld(now_ms);
  const double lag_ms = random_.Interval(1.0 / static_cast<double>(options_.mean_ms));
  const auto held = std::min(static_cast<std::int64_t>(lag_ms) + 1, options_.max_ms);
  const std::size_t replica = random_.Below(kReplicaCount);
  bytes_ += stored_key.size() + BytesOf(old_record);
  by_key_[std::string(stored_key)].push_back({now_ms + held, replica, std::move(old_record)});
  noted_.push_back({now_ms + options_.max_ms, std::string(stored_key)});
  while (bytes_ > kOldBytesMax && !noted_.empty()) {
    ForgetFirst();
  }
}

void Replicas::ForgetOld(std::int64_t now_ms) {
  while (!noted_.empty() && noted_.front().until_ms <= now_ms) {
    ForgetFirst();
  }
}

void Replicas::ForgetFirst() {
  const auto found = by_key_.find(noted_.front().stored_key);
  bytes_ -= found->first.size() + BytesOf(found->second.front().old_record);
  found->second.pop_front();
  if (found->second.empty()) {
    by_key_.erase(found);
  }
  noted_.pop_front();
}

// A replica that misses a write shows what was there before it, whatever came later.
const Replicas::Version* Replicas::FirstMissing(const Versions& versions, std::size_t replica,
                                                std::int64_t now_ms) {
  const auto missing = std::ranges::find_if(versions, [&](const Version& version) {
    return version.replica == replica && now_ms < version.arrives_ms;
  });
  return missing == versions.end() ? nullptr : &*missing;
}

std::optional<OlderRecord> Replicas::Read(std::string_view stored_key) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  const auto found = by_key_.find(stored_key);
  if (found == by_key_.end()) {
    return std::nullopt;
  }
  const Version* missing = FirstMissing(found->second, random_.Below(kReplicaCount), now_ms);
  // Not std::optional(…), which would not nest.
  return missing != nullptr ? std::optional<OlderRecord>(std::in_place, missing->old_record)
                            : std::nullopt;
}

std::vector<Replicas::Older> Replicas::OlderIn(const storage::Range& range) {
  const std::int64_t now_ms = clock_.NowMs();
  std::vector<Older> older;
  const MutexLock lock(mutex_);
  auto at = by_key_.lower_bound(range.begin);
  if (at == by_key_.end() || at->first >= range.end) {
    return older;
  }
  const std::size_t replica = random_.Below(kReplicaCount);
  for (; at != by_key_.end() && at->first < range.end; ++at) {
    if (const Version* missing = FirstMissing(at->second, replica, now_ms)) {
      older.emplace_back(at->first, missing->old_record);
    }
  }
  if (range.direction == storage::Direction::kBackward) {
    std::ranges::reverse(older);
  }
  return older;
}

Status Replicas::Visit(storage::Store& store, const storage::Range& range, Visitor visitor) {
  const std::vector<Older> older = OlderIn(range);
  if (older.empty()) {
    return store.Visit(range, visitor);
  }
  const bool forward = range.direction == storage::Direction::kForward;
  auto next = older.begin();
  auto outcome = storage::Visit::kContinue;
  // Shows what the replica has before `key`, or to the end of the range.
  const auto catch_up = [&](std::optional<std::string_view> key) {
    const auto is_before = [&](std::string_view a) {
      return !key || (forward ? a < *key : a > *key);
    };
    for (; outcome == storage::Visit::kContinue && next != older.end() && is_before(next->first);
         ++next) {
      outcome = next->second ? visitor(next->first, *next->second) : outcome;
    }
  };
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view value) {
    catch_up(key);
    if (outcome == storage::Visit::kStop) {
      return outcome;
    }
    if (next == older.end() || next->first != key) {
      return outcome = visitor(key, value);
    }
    const OlderRecord& record = (next++)->second;
    return outcome = record ? visitor(key, *record) : storage::Visit::kContinue;
  }));
  catch_up(std::nullopt);
  return {};
}

}  // namespace prejoin::engine
