// The partitions of a table or index: ranges of stored keys, each with limits of its own.
//
// A partition splits and is never merged. It splits where the observed keys divide its load, which
// may be inside an item collection, and it does not split where that would not help: one key has all
// the load, or the keys come in ascending or descending order, so that one half stays idle.
#ifndef PREJOIN_ENGINE_PHYSICS_PARTITIONS_H_
#define PREJOIN_ENGINE_PHYSICS_PARTITIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/physics/limits_reached.h"
#include "engine/physics/token_bucket.h"
#include "prejoin/physics.h"

namespace prejoin::engine {

// The keys that were used last, one in so many. Single thread.
class KeySamples {
 public:
  void Add(std::string_view key);
  // The key that divides the load best; nullopt: no key does.
  std::optional<std::string> Divider() const;
  void Clear();

 private:
  static constexpr std::size_t kKept = 256;
  static constexpr std::size_t kStride = 7;

  // Nearly all neighbours in time are in the order of keys, or in the reverse order.
  bool IsSequential() const;

  std::vector<std::string> keys_;  // A ring, so that its strings are used again.
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::size_t skipped_ = kStride;
};

enum class PartitionCause { kInitial, kHeat, kSize, kProvisioned, kPeak };

struct Partition {
  std::string begin;  // A stored key without its space; the end is the next one's beginning.
  std::array<TokenBucket, kDirections> buckets;
  std::array<MilliUnits, kDirections> taken_in_minute = {};
  std::array<MilliUnits, kDirections> taken = {};  // Since the partition exists, as is the next.
  std::array<std::uint64_t, kDirections> throttled = {};
  std::int64_t hot_minutes = 0;
  std::int64_t created_ms = 0;
  PartitionCause cause = PartitionCause::kInitial;
  KeySamples samples;
};

// Single thread.
class Partitions {
 public:
  // `count` equal ranges of the partition key's hash.
  Partitions(const PhysicsOptions& options, std::size_t count, std::int64_t now_ms);

  Partition& Find(std::string_view key);
  const std::vector<Partition>& all() const { return all_; }

  // Every partition splits in two, again and again, until there are this many.
  void GrowTo(std::size_t count, PartitionCause cause, std::int64_t now_ms);

  // A minute of the clock has ended, or several in which nothing happened after the first.
  void EndMinute(std::int64_t minutes, std::int64_t now_ms);

 private:
  // The right part of a partition, whose left part stays in place.
  Partition SplitOff(Partition& left, std::string at, PartitionCause cause,
                     std::int64_t now_ms) const;
  Partition NewPartition(std::string begin, PartitionCause cause, std::int64_t now_ms) const;
  bool IsHot(const Partition& partition) const;

  const PhysicsOptions& options_;
  std::vector<Partition> all_;  // In order.
};

std::string_view NameOf(PartitionCause cause);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_PARTITIONS_H_
