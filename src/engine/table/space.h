// Spaces: the four bytes that every stored key begins with say whose it is (docs/formats/keys.md).
#ifndef PREJOIN_ENGINE_TABLE_SPACE_H_
#define PREJOIN_ENGINE_TABLE_SPACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace prejoin::engine {

// Tables and indexes get theirs from a counter that never goes back, so a dropped table's leftovers
// can never be read again.
inline constexpr std::uint32_t kCatalogSpace = 0;
inline constexpr std::uint32_t kTokenSpace = 1;
inline constexpr std::uint32_t kAccessSpace = 2;  // Users, roles and keys: access/directory.h.
inline constexpr std::uint32_t kOutboxSpace = 3;
inline constexpr std::uint32_t kFirstFreeSpace = 16;

// Most significant byte first, so that the order of bytes is the order of numbers.
void AppendUint32(std::uint32_t number, std::string& out);
void AppendUint64(std::uint64_t number, std::string& out);
// The number that `bytes`, at most eight, are.
std::uint64_t ReadBigEndian(std::string_view bytes);

std::uint32_t SpaceOf(std::string_view stored_key);
// `tail` in a space.
std::string SpaceKey(std::uint32_t space, std::string_view tail);
storage::Range SpaceRange(std::uint32_t space);

// A record of the engine itself, beside the tables in the catalog's space, whose hash is 0.
std::string CatalogKey(std::string_view name);
// All records whose names begin so.
storage::Range CatalogRange(std::string_view name_prefix);

// The note that a space was dropped. It is written with the change that drops the space and goes
// when the space is deleted; a start deletes spaces that have a note, and no others.
std::string DroppedKey(std::uint32_t space);
storage::Range DroppedRange();
// Nullopt for a key that is no such note's.
std::optional<std::uint32_t> SpaceOfDroppedKey(std::string_view key);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_SPACE_H_
