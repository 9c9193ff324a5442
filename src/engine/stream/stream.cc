#include "engine/stream/stream.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/stream/stream_record.h"

namespace prejoin::engine {
namespace {

bool IsTrimmed(const Shard& shard, std::int64_t now_ms) {
  return shard.end && *shard.end <= TrimPoint(now_ms);
}

}  // namespace

SequenceNumber TrimPoint(std::int64_t now_ms) { return SequenceAt(now_ms - kStreamRetentionMs); }

void Stream::Start(const StreamOptions& options, std::int64_t now_ms) {
  options_ = options;
  MutexLock lock(mutex_);
  Advance(now_ms);
  MakeFirstShards();
}

Status Stream::Load(storage::Store& store, const StreamOptions& options, const Resumption& from) {
  options_ = options;
  PJ_RETURN_IF_ERROR(LoadShards(store));
  PJ_RETURN_IF_ERROR(LoadLastNumber(store));
  MutexLock lock(mutex_);
  awaited_.emplace();
  if (from.closed_at) {
    // Records may have come between the note that the stream ends and its end.
    closed_at_ = next_ = std::max(next_, *from.closed_at);
  }
  next_ = std::max(next_, from.first);
  Advance(from.now_ms);
  // A crash came before the first shards were stored.
  if (lanes_.empty() && !from.closed_at) {
    MakeFirstShards();
  }
  return {};
}

Result<storage::Ticket> Stream::StoreShards(storage::Store& store) {
  std::vector<std::shared_ptr<const ShardGroup>> groups;
  {
    MutexLock lock(mutex_);
    for (const auto& [hash, lane] : lanes_) {
      if (lane.unstored != nullptr && std::ranges::find(groups, lane.unstored) == groups.end()) {
        groups.push_back(lane.unstored);
      }
    }
  }
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store.Transact({}, [&](storage::Transaction& transaction) -> Status {
                        for (const auto& group : groups) {
                          StageShards(info_.space, *group, transaction);
                        }
                        return {};
                      }));
  for (const auto& group : groups) {
    ShowShards(group);
  }
  return ticket;
}

Status Stream::LoadShards(storage::Store& store) {
  std::vector<Shard> stored;
  Status status;
  const auto visit = [&](std::string_view key, std::string_view value) {
    auto shard = DecodeShard(key, value);
    if (!shard) {
      status = shard.error();
      return storage::Visit::kStop;
    }
    stored.push_back(*shard);
    return storage::Visit::kContinue;
  };
  PJ_RETURN_IF_ERROR(store.Visit(ShardRange(info_.space), visit));
  PJ_RETURN_IF_ERROR(status);
  MutexLock lock(mutex_);
  for (const Shard& shard : stored) {
    shards_.emplace(shard.start, shard);
    next_ = std::max(next_, shard.start + 1);
  }
  // In order of birth, so the first child names its parent's end.
  for (const Shard& shard : stored) {
    const auto parent = shard.parent ? shards_.find(*shard.parent) : shards_.end();
    if (parent != shards_.end() && !parent->second.end) {
      parent->second.end = shard.start;
    }
  }
  for (const auto& [start, shard] : shards_) {
    if (!shard.end) {
      AddLane(shard, nullptr);
    }
  }
  return {};
}

Status Stream::LoadLastNumber(storage::Store& store) {
  for (const Shard& shard : Shards(0)) {
    storage::Range range = RecordRange(info_.space, shard.start, 0, kSequenceNumberMax);
    range.direction = storage::Direction::kBackward;
    SequenceNumber last = 0;
    PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
      last = NumberOf(key);
      return storage::Visit::kStop;
    }));
    MutexLock lock(mutex_);
    next_ = std::max(next_, last + 1);
  }
  return {};
}

void Stream::MakeFirstShards() {
  auto group = std::make_shared<ShardGroup>();
  const std::uint64_t count = std::max(options_.shards, 1u);
  const std::uint64_t width = (std::uint64_t{1} << 32) / count;
  for (std::uint64_t i = 0; i < count; ++i) {
    Shard shard;
    shard.start = next_++;
    shard.hash_first = static_cast<std::uint32_t>(i * width);
    shard.hash_last = i + 1 == count ? std::numeric_limits<std::uint32_t>::max()
                                     : static_cast<std::uint32_t>((i + 1) * width - 1);
    group->shards.push_back(shard);
  }
  AddGroup(std::move(group));
}

void Stream::AddGroup(std::shared_ptr<const ShardGroup> group) {
  for (const Shard& shard : group->shards) {
    shards_.emplace(shard.start, shard);
    hidden_.insert(shard.start);
    AddLane(shard, group);
  }
}

void Stream::AddLane(const Shard& shard, std::shared_ptr<const ShardGroup> unstored) {
  lanes_[shard.hash_first] = {.shard = shard.start,
                              .opened_ms = TimeOf(shard.start),
                              .record_count = 0,
                              .unstored = std::move(unstored)};
}

SequenceNumber Stream::Begin() {
  MutexLock lock(mutex_);
  in_flight_.insert(next_);
  return next_;
}

void Stream::End(SequenceNumber begun) {
  MutexLock lock(mutex_);
  const auto found = in_flight_.find(begun);
  PJ_CHECK(found != in_flight_.end());
  in_flight_.erase(found);
}

std::optional<Stream::Place> Stream::Take(std::uint32_t partition_hash, std::int64_t now_ms) {
  MutexLock lock(mutex_);
  if (closed_at_) {
    return std::nullopt;
  }
  Advance(now_ms);
  auto lane = std::prev(lanes_.upper_bound(partition_hash));
  if (IsDue(lane->second, now_ms)) {
    Succeed(lane->second.shard);
    lane = std::prev(lanes_.upper_bound(partition_hash));
  }
  ++lane->second.record_count;
  last_taken_ = next_++;
  return Place{
      .number = last_taken_, .shard = lane->second.shard, .new_shards = lane->second.unstored};
}

// A lane whose own shard is not stored yet waits: its children would outlive it in a crash.
bool Stream::IsDue(const Lane& lane, std::int64_t now_ms) const {
  return lane.unstored == nullptr &&
         (now_ms - lane.opened_ms >= std::int64_t{options_.shard_seconds} * 1000 ||
          lane.record_count >= options_.shard_records);
}

// Ends the shard and opens its children: two if it had more records than one shard should get, one
// if it is only old.
void Stream::Succeed(SequenceNumber parent) {
  Shard& old_shard = shards_.at(parent);
  const auto lane = lanes_.find(old_shard.hash_first);
  const bool splits = lane->second.record_count >= options_.shard_records &&
                      lanes_.size() < kOpenShardsMax && old_shard.hash_first < old_shard.hash_last;
  auto group = std::make_shared<ShardGroup>();
  Shard child{.start = next_++,
              .parent = parent,
              .end = std::nullopt,
              .hash_first = old_shard.hash_first,
              .hash_last = old_shard.hash_last};
  old_shard.end = child.start;
  if (splits) {
    Shard upper = child;
    upper.start = next_++;
    child.hash_last = child.hash_first + (child.hash_last - child.hash_first) / 2;
    upper.hash_first = child.hash_last + 1;
    group->shards = {child, upper};
  } else {
    group->shards = {child};
  }
  AddGroup(std::move(group));
}

void Stream::ShowShards(const std::shared_ptr<const ShardGroup>& group) {
  MutexLock lock(mutex_);
  for (const Shard& shard : group->shards) {
    hidden_.erase(shard.start);
    const auto lane = lanes_.find(shard.hash_first);
    if (lane != lanes_.end() && lane->second.shard == shard.start) {
      lane->second.unstored.reset();
    }
  }
}

SequenceNumber Stream::Close(SequenceNumber at) {
  MutexLock lock(mutex_);
  if (!closed_at_) {
    closed_at_ = std::max(at, last_taken_ + 1);
    next_ = std::max(next_, *closed_at_);
  }
  return *closed_at_;
}

bool Stream::closed() const {
  MutexLock lock(mutex_);
  return closed_at_.has_value();
}

void Stream::AwaitWriters(std::vector<std::shared_future<void>> older_versions) {
  MutexLock lock(mutex_);
  awaited_ = std::move(older_versions);
}

bool Stream::complete() const {
  MutexLock lock(mutex_);
  return awaited_ && std::ranges::all_of(*awaited_, [](const std::shared_future<void>& version) {
           return version.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
         });
}

bool Stream::IsHidden(const Shard& shard) const { return hidden_.contains(shard.start); }

// The end of a shard shows when its children do.
Shard Stream::Visible(const Shard& shard) const {
  Shard shown = shard;
  if (shown.end && hidden_.contains(*shown.end)) {
    shown.end.reset();
  }
  if (!shown.end) {
    shown.end = closed_at_;
  }
  return shown;
}

std::vector<Shard> Stream::Shards(std::int64_t now_ms) const {
  MutexLock lock(mutex_);
  std::vector<Shard> shown;
  for (const auto& [start, shard] : shards_) {
    const Shard visible = Visible(shard);
    if (!IsHidden(shard) && !IsTrimmed(visible, now_ms)) {
      shown.push_back(visible);
    }
  }
  return shown;
}

std::optional<Shard> Stream::FindShard(SequenceNumber start, std::int64_t now_ms) const {
  MutexLock lock(mutex_);
  const auto found = shards_.find(start);
  if (found == shards_.end() || IsHidden(found->second)) {
    return std::nullopt;
  }
  const Shard visible = Visible(found->second);
  return IsTrimmed(visible, now_ms) ? std::nullopt : std::optional(visible);
}

SequenceNumber Stream::Horizon(std::int64_t now_ms) {
  MutexLock lock(mutex_);
  if (!in_flight_.empty()) {
    return *in_flight_.begin();
  }
  Advance(now_ms);
  return next_;
}

SequenceNumber Stream::Next(std::int64_t now_ms) {
  MutexLock lock(mutex_);
  Advance(now_ms);
  return next_;
}

std::vector<Shard> Stream::ForgetTrimmed(std::int64_t now_ms) {
  MutexLock lock(mutex_);
  std::vector<Shard> forgotten;
  for (auto at = shards_.begin(); at != shards_.end();) {
    const Shard visible = Visible(at->second);
    if (!IsTrimmed(visible, now_ms) || IsHidden(at->second)) {
      ++at;
      continue;
    }
    forgotten.push_back(visible);
    at = shards_.erase(at);
  }
  return forgotten;
}

// Never back, whatever the clock does.
void Stream::Advance(std::int64_t now_ms) { next_ = std::max(next_, SequenceAt(now_ms)); }

}  // namespace prejoin::engine
