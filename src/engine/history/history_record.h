// A table's history in the store: the old image of each change of an item
// (docs/formats/history.md).
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_RECORD_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/stream/sequence_number.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// `item_key` is an item's stored key without its space. No item key of a table begins with another
// one, so records are in order of items, and of numbers within an item.
std::string HistoryKey(std::uint32_t space, std::string_view item_key, SequenceNumber number);

// Borrows the stored key.
struct HistoryPlace {
  std::string_view item_key;
  SequenceNumber number = 0;
};
// Nullopt for a key that is no record's.
std::optional<HistoryPlace> SplitHistoryKey(std::string_view stored_key);

// The error for a history whose keys cannot be read.
Error DamagedHistory();

// The value: the item's stored record before the change, or this.
inline constexpr std::string_view kNoItem = "";

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_RECORD_H_
