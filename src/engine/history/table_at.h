// A table as it was at a moment of its history, read while it is being written.
//
// The history has, for every change, the item as it was before. So an item that has records at or
// above a number was, at that number, what the first of them shows; any other item is what the
// table holds now. The table is read before the history: a change that comes between the two, or
// that the read of the table has already seen, is in the history then.
#ifndef PREJOIN_ENGINE_HISTORY_TABLE_AT_H_
#define PREJOIN_ENGINE_HISTORY_TABLE_AT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stream/sequence_number.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

struct KeptItem {
  std::string key;     // The item's stored key without its space.
  std::string record;  // As stored: DecodeRecord.
};

struct ItemsAt {
  std::vector<KeptItem> items;      // In order of their keys.
  std::optional<std::string> next;  // The `from` of the next page; nullopt: there is none.
};

// The items at `number` with keys not below `from` ("": all), up to about `limit` and a megabyte. A
// page may be empty and have a next one. The caller has waited for the writes below
// it (HistoryNumbers::AwaitFinished) and keeps both spaces from being trimmed and dropped
// (HistoryHold).
Result<ItemsAt> ReadTableAt(storage::Store& store, const KeptTable& table, SequenceNumber number,
                            std::string_view from, std::size_t limit);

struct ItemChange {
  std::string key;
  std::optional<std::string> old_record;  // Nullopt: there was no item.
  std::optional<std::string> new_record;
  SequenceNumber last = 0;  // Number of the newest change in the range.
};

struct ChangesBetween {
  std::vector<ItemChange> changes;
  std::optional<std::string> next;
};

struct NumberRange {
  SequenceNumber from = 0;
  SequenceNumber to = 0;  // Not included.
};

// The items that were written between two numbers, with their states at both; these may be equal.
// Otherwise as ReadTableAt.
Result<ChangesBetween> ReadChangesBetween(storage::Store& store, const KeptTable& table,
                                          NumberRange numbers, std::string_view from,
                                          std::size_t limit);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_TABLE_AT_H_
