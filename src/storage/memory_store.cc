// The memory store. Keys are dealt out over 256 shards, each with its own lock: the first byte of
// the partition hash (the slot), shifted by a number that depends on the space, names the shard. So
// everything of one partition is in one shard, and the slots of a space, taken in order, are its
// keys in order. A shard keeps one tree for each space, created by the first write and removed with
// the space.
//
// Latches make transactions serialisable (latches.h). The shard locks protect only the trees: while
// a body runs, the records of its keys are pinned by their latches, and the body reads them in
// place. A range read has the lock of its shard for as long as its visitors take, up to a second;
// a commit waits for that without holding any other shard, so those who read one key wait for
// commits only, which are short.
//
// A fork shares every tree with its origin. The first change of a tree on either side copies it, but not its records
// (shared_tree.h): a fork costs the same whatever is stored, and the first write of a partition costs 1/256 of its table's entries.
#include <absl/container/btree_map.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"
#include "base/patience.h"
#include "storage/latches.h"
#include "storage/memory_tree.h"
#include "storage/shared_tree.h"
#include "storage/store.h"

namespace prejoin::storage {
namespace {

constexpr std::uint32_t kSlots = 256;  // The number of slots of a space, and of shards.

// To free a million records takes a quarter of a second. Beyond this, a thread does it.
constexpr std::uint64_t kFreedInPlaceBytesMax = 4u << 20;

// A slot of a space, as one number in key order: the space, then the slot.
using Position = std::uint64_t;

unsigned char ByteAt(std::string_view key, std::size_t index) {
  return index < key.size() ? static_cast<unsigned char>(key[index]) : 0;
}

std::uint32_t SpaceOf(std::string_view key) {
  std::uint32_t space = 0;
  for (std::size_t i = 0; i < kSpaceBytes; ++i) {
    space = space << 8 | ByteAt(key, i);
  }
  return space;
}

Position PositionOf(std::string_view key) {
  return Position{SpaceOf(key)} * kSlots + ByteAt(key, kSpaceBytes);
}

std::uint32_t SpaceAt(Position position) { return static_cast<std::uint32_t>(position / kSlots); }

// The smallest key whose position is `position` is this, or this without zeros at its end.
std::string PrefixAt(Position position) {
  std::string prefix(kSpaceBytes + 1, '\0');
  for (std::size_t i = prefix.size(); i-- > 0;) {
    prefix[i] = static_cast<char>(position & 0xFF);
    position >>= 8;
  }
  return prefix;
}

std::size_t ShardAt(Position position) {
  const std::uint32_t shift = SpaceAt(position) * 0x9E3779B1u >> 24;
  return (position + shift) % kSlots;
}

struct Staged {
  Record record;
  bool is_delete;
  std::size_t shard;
};

class MemoryTransaction final : public Transaction {
 public:
  std::optional<std::string_view> Value(std::size_t index) const override {
    PJ_CHECK(index < values.size());
    return values[index];
  }
  void Put(std::string_view key, std::string_view value) override {
    staged.push_back({Record(key, value), false, ShardAt(PositionOf(key))});
  }
  void Delete(std::string_view key) override {
    staged.push_back({Record(key, {}), true, ShardAt(PositionOf(key))});
  }

  absl::InlinedVector<std::optional<std::string_view>, 4> values;
  absl::InlinedVector<Staged, 4> staged;
};

// A shard's lock. Unlike prejoin::SharedMutex it can be tried.
class PJ_CAPABILITY("shared mutex") ShardMutex {
 public:
  void lock() PJ_ACQUIRE() { mutex_.lock(); }
  bool try_lock() PJ_THREAD_ANNOTATION(try_acquire_capability(true)) { return mutex_.try_lock(); }
  void unlock() PJ_RELEASE() { mutex_.unlock(); }
  void lock_shared() PJ_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() PJ_RELEASE_GENERIC() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

class PJ_SCOPED_CAPABILITY ShardReader {
 public:
  explicit ShardReader(ShardMutex& mutex) PJ_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~ShardReader() PJ_RELEASE_GENERIC() { mutex_.unlock_shared(); }
  ShardReader(const ShardReader&) = delete;
  ShardReader& operator=(const ShardReader&) = delete;

 private:
  ShardMutex& mutex_;
};

class PJ_SCOPED_CAPABILITY ShardWriter {
 public:
  explicit ShardWriter(ShardMutex& mutex) PJ_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ShardWriter() PJ_RELEASE() { mutex_.unlock(); }
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

 private:
  ShardMutex& mutex_;
};

// Holds the locks of several shards, each once.
class ShardLocks {
 public:
  ShardLocks() = default;
  ~ShardLocks() { Release(); }
  ShardLocks(const ShardLocks&) = delete;
  ShardLocks& operator=(const ShardLocks&) = delete;

  void Add(ShardMutex& mutex) { wanted_.push_back(&mutex); }

  // Takes all that were added. Waits for one only while it holds none, as std::lock does. False on a
  // thread that may not wait.
  bool Take() PJ_NO_THREAD_SAFETY_ANALYSIS {
    if (TakeFrom(0)) {
      return true;
    }
    if (!MayWait()) {
      NoteObstacle(static_cast<Obstacle>(blocked_));
      return false;
    }
    while (true) {
      const std::size_t first = blocked_;
      wanted_[first]->lock();
      std::swap(wanted_[0], wanted_[first]);
      held_ = 1;
      if (TakeFrom(1)) {
        return true;
      }
    }
  }

 private:
  // Takes those from `at` on, or gives all back.
  bool TakeFrom(std::size_t at) PJ_NO_THREAD_SAFETY_ANALYSIS {
    for (; at < wanted_.size(); ++at) {
      if (!wanted_[at]->try_lock()) {
        blocked_ = at;
        Release();
        return false;
      }
      held_ = at + 1;
    }
    return true;
  }
  void Release() PJ_NO_THREAD_SAFETY_ANALYSIS {
    for (; held_ > 0; --held_) {
      wanted_[held_ - 1]->unlock();
    }
  }

  absl::InlinedVector<ShardMutex*, 8> wanted_;
  std::size_t held_ = 0;     // The first ones of `wanted_`.
  std::size_t blocked_ = 0;  // Which of `wanted_` another had.
};

class MemoryStore final : public Store {
 public:
  ~MemoryStore() override {
    if (reaper_.joinable()) {
      reaper_.join();
    }
  }

  Result<Ticket> Transact(std::span<const std::string> keys, Body body) override;
  Result<std::optional<std::string>> Get(std::string_view key) override;
  Result<Values> GetTogether(std::span<const std::string> keys) override;
  Status Visit(const Range& range, Visitor visitor) override;
  Status DeleteSpace(std::uint32_t space) override;
  std::uint64_t ApproximateBytes(std::uint32_t space) const override;

  std::unique_ptr<Store> Fork() override PJ_NO_THREAD_SAFETY_ANALYSIS;

  Ticket NewestTicket(std::string_view) const override { return NewestTicket(); }
  Ticket NewestTicket() const override { return newest_.load(std::memory_order_acquire); }
  bool IsDurable(Ticket) const override { return true; }
  Status WaitDurable(Ticket) override { return {}; }
  void WhenDurable(Ticket, std::function<void(Status)> done) override { done({}); }

 private:
  struct alignas(64) Shard {
    // The tree of the space, or null.
    const MemoryTree* Find(std::uint32_t space) const PJ_REQUIRES_SHARED(mutex) {
      const auto at = trees.find(space);
      return at == trees.end() ? nullptr : &*at->second;
    }
    void Apply(Staged& change) PJ_REQUIRES(mutex);

    mutable ShardMutex mutex;
    absl::btree_map<std::uint32_t, SharedTree> trees PJ_GUARDED_BY(mutex);
  };

  // The bytes stay valid while the caller holds the key's latch.
  std::optional<std::string_view> FindLatched(std::string_view key) const;
  // False, and nothing has changed, on a thread that may not wait.
  bool Commit(std::span<Staged> staged) PJ_NO_THREAD_SAFETY_ANALYSIS;
  storage::Visit VisitPosition(Position position, const Range& range, Visitor visitor) const;
  void VisitForward(Position first, Position last, const Range& range, Visitor visitor) const;
  void VisitBackward(Position first, Position last, const Range& range, Visitor visitor) const;
  // The nearest space with a tree from `space` on, upwards or downwards.
  std::optional<std::uint32_t> NearestSpace(std::uint32_t space, Direction direction) const;

  Latches latches_;
  std::array<Shard, kSlots> shards_;
  std::atomic<Ticket> newest_ = 0;

  // Frees the trees of the last large space that was deleted.
  Mutex reaper_mutex_;
  std::thread reaper_ PJ_GUARDED_BY(reaper_mutex_);
};

void MemoryStore::Shard::Apply(Staged& change) {
  const std::uint32_t space = SpaceOf(change.record.key());
  if (!change.is_delete) {
    trees[space].Own().Put(change.record);
  } else if (const auto at = trees.find(space); at != trees.end()) {
    at->second.Own().Erase(change.record);
  }
}

std::optional<std::string_view> MemoryStore::FindLatched(std::string_view key) const {
  const Shard& shard = shards_[ShardAt(PositionOf(key))];
  const ShardReader lock(shard.mutex);
  const MemoryTree* tree = shard.Find(SpaceOf(key));
  return tree == nullptr ? std::nullopt : tree->Find(key);
}

Result<Ticket> MemoryStore::Transact(std::span<const std::string> keys, Body body) {
  // Outlives the latches, so that replaced records are freed after them.
  MemoryTransaction transaction;
  const Latches::Hold hold(latches_, keys);
  if (!hold.holds()) {
    return WouldWait();
  }
  transaction.values.reserve(keys.size());
  for (const std::string& key : keys) {
    transaction.values.push_back(FindLatched(key));
  }
  PJ_RETURN_IF_ERROR(body(transaction));
  if (transaction.staged.empty()) {
    return NewestTicket();
  }
  if (!Commit(transaction.staged)) {
    return WouldWait();
  }
  return newest_.fetch_add(1, std::memory_order_acq_rel) + 1;
}

// All shards of a transaction are locked before its first change and until its last: a reader that
// has seen one of the changes sees the others from then on. A reader has one lock at a time.
bool MemoryStore::Commit(std::span<Staged> staged) {
  if (staged.size() > 1) {
    // Stable: of two changes to one key, the later one wins.
    std::stable_sort(staged.begin(), staged.end(),
                     [](const Staged& a, const Staged& b) { return a.shard < b.shard; });
  }
  ShardLocks locks;
  for (std::size_t i = 0; i < staged.size(); ++i) {
    if (i == 0 || staged[i].shard != staged[i - 1].shard) {
      locks.Add(shards_[staged[i].shard].mutex);
    }
  }
  if (!locks.Take()) {
    return false;
  }
  for (Staged& change : staged) {
    shards_[change.shard].Apply(change);
  }
  return true;
}

Result<std::optional<std::string>> MemoryStore::Get(std::string_view key) {
  const Shard& shard = shards_[ShardAt(PositionOf(key))];
  const ShardReader lock(shard.mutex);
  const MemoryTree* tree = shard.Find(SpaceOf(key));
  if (tree == nullptr) {
    return std::nullopt;
  }
  const auto value = tree->Find(key);
  return value ? std::optional<std::string>(*value) : std::nullopt;
}

Result<Store::Values> MemoryStore::GetTogether(std::span<const std::string> keys) {
  Values values;
  values.reserve(keys.size());
  const Latches::Hold hold(latches_, keys);
  if (!hold.holds()) {
    return WouldWait();
  }
  for (const std::string& key : keys) {
    const auto value = FindLatched(key);
    values.push_back(value ? std::optional<std::string>(*value) : std::nullopt);
  }
  return values;
}

Status MemoryStore::Visit(const Range& range, Visitor visitor) {
  if (!range.end.empty() && range.begin >= range.end) {
    return {};
  }
  const Position first = PositionOf(range.begin);
  Position last = PositionOf(std::string(kSpaceBytes + 1, '\xFF'));
  if (!range.end.empty()) {
    last = PositionOf(range.end);
    // The usual end of a range, the next space or slot: nothing there belongs to the range.
    if (last > first && PrefixAt(last) >= range.end) {
      --last;
    }
  }
  if (range.direction == Direction::kForward) {
    VisitForward(first, last, range, visitor);
  } else {
    VisitBackward(first, last, range, visitor);
  }
  return {};
}

void MemoryStore::VisitForward(Position first, Position last, const Range& range,
                               Visitor visitor) const {
  for (Position position = first; position <= last; ++position) {
    if (position != first && position % kSlots == 0) {
      const auto space = NearestSpace(SpaceAt(position), Direction::kForward);
      if (!space || *space > SpaceAt(last)) {
        return;
      }
      position = Position{*space} * kSlots;
    }
    if (VisitPosition(position, range, visitor) == storage::Visit::kStop) {
      return;
    }
  }
}

void MemoryStore::VisitBackward(Position first, Position last, const Range& range,
                                Visitor visitor) const {
  for (Position position = last;; --position) {
    if (SpaceAt(position) != SpaceAt(first) && (position + 1) % kSlots == 0) {
      const auto space = NearestSpace(SpaceAt(position), Direction::kBackward);
      if (!space || *space < SpaceAt(first)) {
        return;
      }
      position = Position{*space} * kSlots + (kSlots - 1);
    }
    if (VisitPosition(position, range, visitor) == storage::Visit::kStop || position == first) {
      return;
    }
  }
}

storage::Visit MemoryStore::VisitPosition(Position position, const Range& range,
                                          Visitor visitor) const {
  const Shard& shard = shards_[ShardAt(position)];
  const ShardReader lock(shard.mutex);
  const MemoryTree* tree = shard.Find(SpaceAt(position));
  if (tree == nullptr) {
    return storage::Visit::kContinue;
  }
  const auto visit = [&](MemoryTree::Iterator at) {
    const Record& record = *at;
    return visitor(record.key(), record.value());
  };
  // Keys outside the tree's space compare by their bytes 4 to 11 alone, so the range is cut to the
  // space first.
  const bool begins_here = SpaceOf(range.begin) == SpaceAt(position);
  const bool ends_here = !range.end.empty() && SpaceOf(range.end) == SpaceAt(position);
  const auto begin = begins_here ? tree->LowerBound(range.begin) : tree->begin();
  const auto end = ends_here ? tree->LowerBound(range.end) : tree->end();
  if (range.direction == Direction::kForward) {
    for (auto at = begin; at != end; ++at) {
      if (visit(at) == storage::Visit::kStop) {
        return storage::Visit::kStop;
      }
    }
  } else {
    for (auto at = end; at != begin;) {
      if (visit(--at) == storage::Visit::kStop) {
        return storage::Visit::kStop;
      }
    }
  }
  return storage::Visit::kContinue;
}

std::optional<std::uint32_t> MemoryStore::NearestSpace(std::uint32_t space,
                                                       Direction direction) const {
  std::optional<std::uint32_t> nearest;
  for (const Shard& shard : shards_) {
    const ShardReader lock(shard.mutex);
    if (direction == Direction::kForward) {
      const auto at = shard.trees.lower_bound(space);
      if (at != shard.trees.end() && (!nearest || at->first < *nearest)) {
        nearest = at->first;
      }
    } else {
      const auto after = shard.trees.upper_bound(space);
      if (after != shard.trees.begin()) {
        const std::uint32_t candidate = std::prev(after)->first;
        nearest = std::max(nearest.value_or(candidate), candidate);
      }
    }
  }
  return nearest;
}

Status MemoryStore::DeleteSpace(std::uint32_t space) {
  std::vector<SharedTree> dead;
  dead.reserve(kSlots);
  for (Shard& shard : shards_) {
    const ShardWriter lock(shard.mutex);
    if (const auto at = shard.trees.find(space); at != shard.trees.end()) {
      dead.push_back(std::move(at->second));
      shard.trees.erase(at);
    }
  }
  // A body that started before may still read records of this space.
  latches_.WaitForHolders();
  std::uint64_t bytes = 0;
  for (const SharedTree& tree : dead) {
    bytes += (*tree).bytes();
  }
  if (bytes > kFreedInPlaceBytesMax) {
    const MutexLock lock(reaper_mutex_);
    if (reaper_.joinable()) {
      reaper_.join();
    }
    reaper_ = std::thread([trees = std::move(dead)]() mutable { trees.clear(); });
  }
  return {};
}

// Holds all shards at once, so that no commit is seen in part. Waiting for one while it holds others is safe: a commit that holds a shard
// waits for none, and a reader has one at a time.
std::unique_ptr<Store> MemoryStore::Fork() {
  auto fork = std::make_unique<MemoryStore>();
  for (Shard& shard : shards_) {
    shard.mutex.lock_shared();
  }
  for (std::size_t i = 0; i < kSlots; ++i) {
    fork->shards_[i].trees = shards_[i].trees;
  }
  fork->newest_ = NewestTicket();
  for (Shard& shard : shards_) {
    shard.mutex.unlock_shared();
  }
  return fork;
}

std::uint64_t MemoryStore::ApproximateBytes(std::uint32_t space) const {
  std::uint64_t bytes = 0;
  for (const Shard& shard : shards_) {
    const ShardReader lock(shard.mutex);
    if (const MemoryTree* tree = shard.Find(space)) {
      bytes += tree->bytes();
    }
  }
  return bytes;
}

}  // namespace

std::unique_ptr<Store> NewMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace prejoin::storage
