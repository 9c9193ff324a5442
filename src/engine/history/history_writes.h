// Keeps the old images of item changes, in the items' own transaction.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_WRITES_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_WRITES_H_

#include <optional>
#include <span>
#include <string_view>

#include "engine/history/history_numbers.h"
#include "engine/item/planned_write.h"
#include "engine/item/record.h"
#include "engine/table/table.h"
#include "storage/store.h"

namespace prejoin::engine {

// A set of writes that is one transaction. Lives from before the transaction until its result is
// known, and costs nothing when no table keeps a history. Single thread.
class HistoryWrites {
 public:
  explicit HistoryWrites(HistoryNumbers& numbers) : numbers_(numbers) {}
  ~HistoryWrites();
  HistoryWrites(const HistoryWrites&) = delete;
  HistoryWrites& operator=(const HistoryWrites&) = delete;

  // Before the transaction.
  Status Begin(std::span<const ItemWrite> writes);
  // When the transaction's body starts, or starts again.
  void Restart() { number_.reset(); }
  // Inside the transaction. `stored` is the item before the change.
  void Stage(const History& history, std::string_view stored_key,
             std::optional<std::string_view> stored, storage::Transaction& transaction);

 private:
  HistoryNumbers& numbers_;
  std::optional<SequenceNumber> begun_;
  std::optional<SequenceNumber> number_;  // One for all items of the transaction.
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_WRITES_H_
