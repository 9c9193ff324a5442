// When and where an item of a table with replicas was last written, and notes of what its replicas have yet to get
// (docs/formats/catalog.md, docs/adr/0040-global-tables.md).
#ifndef PREJOIN_ENGINE_ITEM_WRITE_STAMP_H_
#define PREJOIN_ENGINE_ITEM_WRITE_STAMP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "engine/table/replication.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Milliseconds since 1970 in the upper bits of a stamp's number, and a counter in these.
inline constexpr int kStampCounterBits = 20;

struct WriteStamp {
  std::uint64_t number = 0;
  std::string region;
  // The key attributes of an item that was deleted, as an item body; empty: the item is there.
  std::string deleted_key;

  bool deleted() const { return !deleted_key.empty(); }
  // The last writer wins; the names of the regions decide between equal numbers.
  bool IsAfter(const WriteStamp& other) const {
    return number != other.number ? number > other.number : region > other.region;
  }
};

std::string EncodeStamp(const WriteStamp& stamp);
// kCorruption for bytes that EncodeStamp does not make.
Result<WriteStamp> DecodeStamp(std::string_view bytes);

// `item_tail`: the item's stored key without its space.
std::string StampKey(const Replication& replication, std::string_view item_tail);
std::string NoteKey(const Replication& replication, std::uint32_t target, std::uint64_t number,
                    std::string_view item_tail);
// All notes for a target, in order of their numbers.
storage::Range NotesFor(const Replication& replication, std::uint32_t target);

struct ReplicaNote {
  std::uint32_t target = 0;
  std::uint64_t number = 0;
  std::string item_tail;
};
// kCorruption for a key that is no note's.
Result<ReplicaNote> DecodeNoteKey(std::string_view key);

// Numbers for stamps. Thread-safe.
class StampClock {
 public:
  explicit StampClock(const Clock& clock) : clock_(clock) {}

  // Greater than `before`, and than every number that it gave since the start.
  std::uint64_t Next(std::uint64_t before) PJ_EXCLUDES(mutex_);

 private:
  const Clock& clock_;
  Mutex mutex_;
  std::uint64_t last_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_WRITE_STAMP_H_
