// Iterators that range reads use one after the other: to make one costs as much as reading a dozen rows, because RocksDB allocates it with an
// iterator of each memtable and file below it.
//
// An iterator holds the memtables and files that were there when it was made. Iterator::Refresh moves it to the newest ones before each use, but
// an iterator that nobody uses would hold memory and space on disk that are to be freed. So all that are idle are destroyed after each flush and
// compaction, and those in use are not kept afterwards.
#ifndef PREJOIN_STORAGE_KEPT_ITERATORS_H_
#define PREJOIN_STORAGE_KEPT_ITERATORS_H_

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace prejoin::storage {

// Thread-safe. A listener of the database whose iterators it keeps; DropIdle has to be called before that is closed.
class KeptIterators final : public rocksdb::EventListener {
  struct Kept;

 public:
  // An iterator over the newest state, whose keys have one prefix and are within bounds. The user's alone until it is destroyed.
  class Borrowed {
   public:
    Borrowed(Borrowed&& other) = delete;
    ~Borrowed();
    rocksdb::Iterator& operator*() const;
    rocksdb::Iterator* operator->() const { return &**this; }

   private:
    friend class KeptIterators;
    Borrowed(KeptIterators& owner, std::unique_ptr<Kept> kept);

    KeptIterators& owner_;
    std::unique_ptr<Kept> kept_;
  };

  KeptIterators() = default;
  ~KeptIterators() override { DropIdle(); }

  // The bytes of the bounds have to live as long as the result. They have one prefix in common.
  Borrowed Borrow(rocksdb::DB& db, rocksdb::Slice lower, rocksdb::Slice upper);

  // Frees what iterators hold that nobody uses. Those in use follow when they are given back.
  void DropIdle();

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { DropIdle(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    DropIdle();
  }

 private:
  // Each thread has its place, which it shares with others only if there are more threads than places.
  static constexpr std::size_t kPlaces = 32;
  struct alignas(64) Place {
    std::atomic<Kept*> idle = nullptr;
  };

  std::unique_ptr<Kept> Make(rocksdb::DB& db, rocksdb::Slice lower, rocksdb::Slice upper) const;
  void GiveBack(std::unique_ptr<Kept> kept);
  Place& OwnPlace();

  std::array<Place, kPlaces> places_;
  // Counts the calls of DropIdle.
  std::atomic<std::uint64_t> drops_ = 0;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_KEPT_ITERATORS_H_
