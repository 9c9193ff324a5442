// Slices: which cell owns which keys. The partition hashes of every space are dealt out in equal, adjacent ranges, so that the cells of a
// space, one behind the other, are its keys in order.
#ifndef PREJOIN_CELLS_SLICES_H_
#define PREJOIN_CELLS_SLICES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace prejoin::cells {

// The engine's expiry entries have the first four bits of their item's hash, and share its cell up to here.
inline constexpr std::size_t kCellsMax = 16;

// A power of two, at most kCellsMax.
bool IsCellCount(std::size_t count);

// Missing bytes count as zeros, as they sort.
std::uint32_t SpaceOf(std::string_view key);
std::uint32_t HashOf(std::string_view key);

inline std::size_t CellOf(std::uint32_t hash, std::size_t cell_count) {
  return static_cast<std::size_t>(std::uint64_t{hash} * cell_count >> 32);
}
inline std::size_t CellOf(std::string_view key, std::size_t cell_count) {
  return CellOf(HashOf(key), cell_count);
}

// The beginning of a cell's slice of a space: no key of it sorts before this one, and none of an earlier slice behind.
// `cell` may be `cell_count`: the beginning of the next space; empty behind the last one.
std::string SliceBegin(std::uint32_t space, std::size_t cell, std::size_t cell_count);

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_SLICES_H_
