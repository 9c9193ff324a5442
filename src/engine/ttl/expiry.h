// When items expire. A table with time to live keeps one entry for each item that has a time in the
// attribute, in order of that time, so that the sweep reads only what is due. Entries are written
// with their item, like those of an index (docs/adr/0008-time-to-live.md).
#ifndef PREJOIN_ENGINE_TTL_EXPIRY_H_
#define PREJOIN_ENGINE_TTL_EXPIRY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/item/record.h"
#include "engine/table/table.h"
#include "storage/store.h"
#include "value/encoding.h"

namespace prejoin::engine {

// Entries are dealt out over these by partition hash, so that writers do not all meet in one place.
inline constexpr unsigned kExpiryLanes = 16;

// Seconds since 1970, fractions cut off. Nullopt: never; the attribute is missing, not a number,
// negative, or beyond any calendar.
std::optional<std::int64_t> ExpiresAt(const Expiry& expiry, ItemView item);

// Changes the item's entry from the old to the new item (nullopt: none).
void StageExpiry(const Expiry& expiry, std::string_view stored_key,
                 const std::optional<Record>& old_item, const std::optional<Record>& new_item,
                 storage::Transaction& transaction);

// The entries of one lane with first <= second < end.
storage::Range ExpiryRange(const Expiry& expiry, unsigned lane, std::int64_t first,
                           std::int64_t end);

// An entry, read back.
struct Expiring {
  std::int64_t second = 0;
  std::string stored_key;  // The key of the item.
};
// kCorruption for a key that is no entry's.
Result<Expiring> DecodeExpiring(std::string_view entry_key, std::uint32_t table_space);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TTL_EXPIRY_H_
