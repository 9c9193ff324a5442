// The vectors of one index, in memory, and the search for the nearest of them.
#ifndef PREJOIN_VECTOR_VECTOR_ROWS_H_
#define PREJOIN_VECTOR_VECTOR_ROWS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/mutex.h"
#include "vector/distance.h"

namespace prejoin::vector {

struct VectorRow {
  // Rows of one partition are searched together.
  std::string_view partition;
  // Names the row within all partitions.
  std::string_view key;
  std::span<const float> vector;
  // Bytes that a search shows to its filter.
  std::string_view filter;
};

struct Match {
  std::string key;
  float score = 0;
};

// Thread-safe: searches and changes run side by side, none waits for more than a block of rows.
class VectorRows {
 public:
  VectorRows(std::size_t dimensions, DistanceFunction function);
  ~VectorRows();
  VectorRows(const VectorRows&) = delete;
  VectorRows& operator=(const VectorRows&) = delete;

  // Held from before a change is committed until it was applied here, and by a loader from before
  // it reads until it has put what it read: as long as one is held, removals that it may not know
  // of are remembered.
  class Change {
   public:
    explicit Change(VectorRows& rows);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    VectorRows& rows_;
    std::uint64_t epoch_;
  };

  // Changes of one key may arrive in any order: the one with the greatest version stands. Versions
  // are above 0.
  void Put(const VectorRow& row, std::uint64_t version);
  void Remove(std::string_view key, std::uint64_t version);
  // Puts a row that was read from a store, unless a change of it has arrived.
  void Load(const VectorRow& row) { Put(row, 0); }

  // The `count` nearest rows, nearest first. `accepts` is asked for rows that are near enough, with
  // their filter bytes. `read` gives a row's vector in full, from wherever it is kept, or false if
  // it is gone by now; it must not call this object.
  std::vector<Match> Search(
      std::string_view partition, std::span<const float> query, std::size_t count,
      FunctionRef<bool(std::string_view)> accepts,
      FunctionRef<bool(std::string_view key, std::vector<float>&)> read) const;

  std::size_t size() const { return size_.load(); }
  // Returns the number of rows that a search of the partition reads, including those whose place is free.
  std::size_t RowsToSearch(std::string_view partition) const;
  std::uint64_t memory_bytes() const { return memory_bytes_.load(); }

 private:
  struct Block;
  struct Partition;
  struct Place {
    std::uint64_t version = 0;
    std::uint64_t removed_in = 0;  // The epoch of its removal; 0: the row is there.
    Block* block = nullptr;
    std::uint32_t slot = 0;
  };
  struct Shard {
    Mutex mutex;
    std::unordered_map<std::string, Place> places PJ_GUARDED_BY(mutex);
    // Removed rows with their epochs, oldest first.
    std::deque<std::pair<std::uint64_t, std::string>> removed PJ_GUARDED_BY(mutex);
  };

  Shard& ShardOf(std::string_view key) const;
  Partition& PartitionOf(std::string_view name);
  const Partition* FindPartition(std::string_view name) const;
  std::pair<Block*, std::uint32_t> TakeSlot(Partition& partition);
  void Fill(Block& block, std::uint32_t slot, const VectorRow& row);
  static void ForgetRemoved(Shard& shard, std::uint64_t epoch) PJ_REQUIRES(shard.mutex);

  const std::size_t dimensions_;
  const DistanceFunction function_;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<std::uint64_t> memory_bytes_ = 0;

  mutable std::array<Shard, 16> shards_;

  mutable SharedMutex partitions_mutex_;
  std::map<std::string, std::unique_ptr<Partition>, std::less<>> partitions_
      PJ_GUARDED_BY(partitions_mutex_);

  // Changes under way, by the epoch in which each began. The epoch goes on when the one before has
  // none left.
  mutable Mutex epoch_mutex_;
  std::uint64_t epoch_ PJ_GUARDED_BY(epoch_mutex_) = 2;
  std::array<std::size_t, 2> under_way_ PJ_GUARDED_BY(epoch_mutex_) = {};
};

}  // namespace prejoin::vector

#endif  // PREJOIN_VECTOR_VECTOR_ROWS_H_
