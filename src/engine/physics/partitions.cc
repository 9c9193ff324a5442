#include "engine/physics/partitions.h"

#include <algorithm>
#include <utility>

#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kPartitionCountMax = 65'536;  // The limit for a table or index; our own.
constexpr std::size_t kHashBytes = 4;

// The hash that a key, or the beginning of one, has.
std::uint64_t HashOf(std::string_view key) {
  std::string bytes(key.substr(0, kHashBytes));
  bytes.resize(kHashBytes, '\0');
  return ReadBigEndian(bytes);
}

std::string KeyOfHash(std::uint64_t hash) {
  std::string key;
  AppendUint32(static_cast<std::uint32_t>(hash), key);
  return key;
}

}  // namespace

void KeySamples::Add(std::string_view key) {
  if (++skipped_ < kStride) {
    return;
  }
  skipped_ = 0;
  if (keys_.size() < kKept) {
    keys_.emplace_back(key);
  } else {
    keys_[next_].assign(key);
  }
  next_ = (next_ + 1) % kKept;
  count_ = std::min(count_ + 1, kKept);
}

void KeySamples::Clear() {
  keys_.clear();
  next_ = count_ = 0;
}

bool KeySamples::IsSequential() const {
  std::size_t rising = 0;
  std::size_t falling = 0;
  for (std::size_t i = 1; i < count_; ++i) {
    const std::size_t at = (next_ + kKept - count_ + i) % kKept;
    const int order = keys_[at].compare(keys_[(at + kKept - 1) % kKept]);
    rising += order > 0 ? 1 : 0;
    falling += order < 0 ? 1 : 0;
  }
  // Half of a sequence of random keys rises. A few requests out of many clients may overtake each other.
  return std::max(rising, falling) * 10 > (count_ - 1) * 9;
}

std::optional<std::string> KeySamples::Divider() const {
  if (count_ < kKept / 8 || IsSequential()) {
    return std::nullopt;
  }
  std::vector<std::string_view> sorted(keys_.begin(), keys_.end());
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  // The key in the middle may have many samples: divide before or after them.
  const auto first =
      static_cast<std::size_t>(std::ranges::lower_bound(sorted, sorted[middle]) - sorted.begin());
  const auto behind =
      static_cast<std::size_t>(std::ranges::upper_bound(sorted, sorted[middle]) - sorted.begin());
  const bool before_is_better =
      first > 0 && (behind == sorted.size() || middle - first <= behind - middle);
  const std::size_t at = before_is_better ? first : behind;
  if (at == 0 || at == sorted.size()) {
    return std::nullopt;
  }
  return std::string(sorted[at]);
}

Partitions::Partitions(const PhysicsOptions& options, std::size_t count, std::int64_t now_ms)
    : options_(options) {
  count = std::clamp<std::size_t>(count, 1, kPartitionCountMax);
  for (std::uint64_t i = 0; i < count; ++i) {
    all_.push_back(
        NewPartition(i == 0 ? "" : KeyOfHash((i << 32) / count), PartitionCause::kInitial, now_ms));
  }
}

Partition Partitions::NewPartition(std::string begin, PartitionCause cause,
                                   std::int64_t now_ms) const {
  const auto bucket = [&](std::int64_t units) {
    return TokenBucket({units, options_.partition_burst_seconds}, true, now_ms);
  };
  Partition partition;
  partition.begin = std::move(begin);
  partition.buckets = {bucket(options_.partition_read_units),
                       bucket(options_.partition_write_units)};
  partition.created_ms = now_ms;
  partition.cause = cause;
  return partition;
}

Partition& Partitions::Find(std::string_view key) {
  const auto behind = std::upper_bound(
      all_.begin() + 1, all_.end(), key,
      [](std::string_view a, const Partition& b) { return a < std::string_view(b.begin); });
  return *(behind - 1);
}

Partition Partitions::SplitOff(Partition& left, std::string at, PartitionCause cause,
                               std::int64_t now_ms) const {
  left.hot_minutes = 0;
  left.samples.Clear();
  return NewPartition(std::move(at), cause, now_ms);
}

void Partitions::GrowTo(std::size_t count, PartitionCause cause, std::int64_t now_ms) {
  count = std::min(count, kPartitionCountMax);
  bool grew = true;
  while (all_.size() < count && grew) {
    std::vector<Partition> next;
    next.reserve(2 * all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::uint64_t begin = HashOf(all_[i].begin);
      const std::uint64_t end =
          i + 1 < all_.size() ? HashOf(all_[i + 1].begin) : std::uint64_t{1} << 32;
      std::string middle = KeyOfHash(begin + (end - begin) / 2);
      // A part of one item collection has no hashes to divide.
      const bool divides = end - begin > 1 && middle > all_[i].begin;
      next.push_back(std::move(all_[i]));
      if (divides) {
        next.push_back(SplitOff(next.back(), std::move(middle), cause, now_ms));
      }
    }
    grew = next.size() > all_.size();
    all_ = std::move(next);
  }
}

bool Partitions::IsHot(const Partition& partition) const {
  const std::int64_t units[] = {options_.partition_read_units, options_.partition_write_units};
  for (std::size_t i = 0; i < kDirections; ++i) {
    const MilliUnits full_minute = units[i] * 60 * kMilliUnitsOfUnit;
    if (partition.taken_in_minute[i] * 100 >= full_minute * options_.split_percent) {
      return true;
    }
  }
  return false;
}

void Partitions::EndMinute(std::int64_t minutes, std::int64_t now_ms) {
  for (std::size_t i = all_.size(); i-- > 0;) {
    Partition& partition = all_[i];
    partition.hot_minutes = IsHot(partition) && minutes == 1 ? partition.hot_minutes + 1 : 0;
    partition.taken_in_minute = {};
    if (partition.hot_minutes < options_.split_minutes || all_.size() >= kPartitionCountMax) {
      continue;
    }
    auto divider = partition.samples.Divider();
    if (divider && *divider > partition.begin) {
      Partition right = SplitOff(partition, *std::move(divider), PartitionCause::kHeat, now_ms);
      all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(right));
    }
  }
}

std::string_view NameOf(PartitionCause cause) {
  switch (cause) {
    case PartitionCause::kInitial:
      return "initial";
    case PartitionCause::kHeat:
      return "heat";
    case PartitionCause::kSize:
      return "size";
    case PartitionCause::kProvisioned:
      return "provisioned";
    case PartitionCause::kPeak:
      break;
  }
  return "peak";
}

}  // namespace prejoin::engine
