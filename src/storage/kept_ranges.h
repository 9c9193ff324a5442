// Copies of short ranges that are read again and again without a write in between. RocksDB merges such a range anew for every read, out of the
// memtable and several files, and that costs as much as all the rest of a Query.
//
// A copy is shown only while nothing was committed to its route since it was made. Tickets tell: a commit marks its route before anybody can see
// it, and leaves a ticket of its own there. So if the route's newest ticket is the one from before the copy was read, no commit has begun to show
// since, and a reader now would read the same.
//
// A range is copied when it is read for the second time at one state of its route. Reads of changing places, and reads that take turns with
// writes, pay for a look into this table only.
#ifndef PREJOIN_STORAGE_KEPT_RANGES_H_
#define PREJOIN_STORAGE_KEPT_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "storage/store.h"

namespace prejoin::storage {

// Keys and values one behind the other, as a visitor gets them.
class RangeCopy {
 public:
  // Longer ranges gain little, because reading their rows costs more than finding them.
  static constexpr std::size_t kBytesMax = 8u << 10;

  // False if it became too long; it is no copy then.
  bool Add(std::string_view key, std::string_view value);
  void Show(Store::Visitor visitor) const;

 private:
  std::string bytes_;
};

// Thread-safe. Takes at most kPlaces times RangeCopy::kBytesMax, 16 MB.
class KeptRanges {
 public:
  struct Found {
    std::shared_ptr<const RangeCopy> copy;  // Null: the store has to be read,
    bool is_wanted = false;                 // and a copy of what it shows is to be kept.
  };
  // `newest` is the newest ticket of the range's route, taken before this call.
  Found Find(const Range& range, Ticket newest);
  // `newest` is the one that Find got before the copy was read.
  void Keep(const Range& range, Ticket newest, std::shared_ptr<const RangeCopy> copy);
  // A change that leaves no ticket calls this.
  void Clear();

 private:
  static constexpr std::size_t kPlaces = 2048;
  struct alignas(64) Place {
    Mutex mutex;
    std::string begin PJ_GUARDED_BY(mutex);
    std::string end PJ_GUARDED_BY(mutex);
    Direction direction PJ_GUARDED_BY(mutex) = Direction::kForward;
    Ticket newest PJ_GUARDED_BY(mutex) = 0;
    // Null: the range was read once.
    std::shared_ptr<const RangeCopy> copy PJ_GUARDED_BY(mutex);
  };

  Place& PlaceOf(const Range& range);

  const std::unique_ptr<Place[]> places_ = std::make_unique<Place[]>(kPlaces);
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_KEPT_RANGES_H_
