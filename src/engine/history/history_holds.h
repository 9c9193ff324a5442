// The holds on the pasts of tables: by backups, restores and exports.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_HOLDS_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_HOLDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/mutex.h"
#include "engine/stream/sequence_number.h"
#include "engine/table/table.h"

namespace prejoin::engine {

// A held table is kept, also after it is deleted, and so is its history from the lowest held number
// on. Thread-safe; a leaf among the locks.
class HistoryHolds {
 public:
  void Add(const KeptTable& table, SequenceNumber number) PJ_EXCLUDES(mutex_);
  void Remove(const KeptTable& table, SequenceNumber number) PJ_EXCLUDES(mutex_);

  // The lowest number held of the table in that space; nullopt: nobody holds it.
  std::optional<SequenceNumber> Lowest(std::uint32_t space) const PJ_EXCLUDES(mutex_);
  std::vector<KeptTable> Tables() const PJ_EXCLUDES(mutex_);

 private:
  struct Held {
    std::uint32_t history_space = 0;
    std::multiset<SequenceNumber> numbers;
  };

  mutable Mutex mutex_;
  std::map<std::uint32_t, Held> held_ PJ_GUARDED_BY(mutex_);  // Keyed by the table's space.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_HOLDS_H_
