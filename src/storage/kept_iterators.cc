#include "storage/kept_iterators.h"

#include <rocksdb/options.h>
#include <rocksdb/version.h>

namespace prejoin::storage {
namespace {

// From 8.3 to 8.6, Refresh could leave an iterator with the memtable that was replaced while it ran, so that it missed all later writes.
static_assert(ROCKSDB_MAJOR < 8 || (ROCKSDB_MAJOR == 8 && ROCKSDB_MINOR < 3) || ROCKSDB_MAJOR > 8 ||
                  ROCKSDB_MINOR > 6,
              "Iterator::Refresh of this RocksDB may show old data");

}  // namespace

// RocksDB looks at the bounds through these slices, also when they have changed since it made the iterator.
struct KeptIterators::Kept {
  rocksdb::Slice lower;
  rocksdb::Slice upper;
  std::uint64_t drops = 0;  // When it was made.
  std::unique_ptr<rocksdb::Iterator> iterator;
};

KeptIterators::Borrowed::Borrowed(KeptIterators& owner, std::unique_ptr<Kept> kept)
    : owner_(owner), kept_(std::move(kept)) {}

KeptIterators::Borrowed::~Borrowed() { owner_.GiveBack(std::move(kept_)); }

rocksdb::Iterator& KeptIterators::Borrowed::operator*() const { return *kept_->iterator; }

KeptIterators::Place& KeptIterators::OwnPlace() {
  static std::atomic<std::size_t> thread_count = 0;
  thread_local const std::size_t own = thread_count.fetch_add(1, std::memory_order_relaxed);
  return places_[own % kPlaces];
}

KeptIterators::Borrowed KeptIterators::Borrow(rocksdb::DB& db, rocksdb::Slice lower,
                                              rocksdb::Slice upper) {
  std::unique_ptr<Kept> kept(OwnPlace().idle.exchange(nullptr));
  if (kept != nullptr) {
    kept->lower = lower;
    kept->upper = upper;
    if (!kept->iterator->Refresh().ok()) {
      kept.reset();  // Of a database that is open for reading only.
    }
  }
  return Borrowed(*this, kept != nullptr ? std::move(kept) : Make(db, lower, upper));
}

std::unique_ptr<KeptIterators::Kept> KeptIterators::Make(rocksdb::DB& db, rocksdb::Slice lower,
                                                         rocksdb::Slice upper) const {
  auto kept = std::make_unique<Kept>(Kept{lower, upper, drops_.load(), nullptr});
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &kept->lower;
  options.iterate_upper_bound = &kept->upper;
  kept->iterator.reset(db.NewIterator(options));
  return kept;
}

// DropIdle counts first and then empties the places, and this fills its place first and then looks at the count: one of the two sees the other.
void KeptIterators::GiveBack(std::unique_ptr<Kept> kept) {
  if (kept->drops != drops_.load() || !kept->iterator->status().ok()) {
    return;
  }
  const std::uint64_t drops = kept->drops;
  Place& place = OwnPlace();
  const std::unique_ptr<Kept> other(place.idle.exchange(kept.release()));
  if (drops != drops_.load()) [[unlikely]] {
    const std::unique_ptr<Kept> late(place.idle.exchange(nullptr));
  }
}

void KeptIterators::DropIdle() {
  drops_.fetch_add(1);
  for (Place& place : places_) {
    const std::unique_ptr<Kept> idle(place.idle.exchange(nullptr));
  }
}

}  // namespace prejoin::storage
