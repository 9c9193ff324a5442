#include "cells/slices.h"

#include <bit>

#include "storage/store.h"

namespace prejoin::cells {
namespace {

std::uint32_t NumberAt(std::string_view key, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + sizeof(number); ++i) {
    number = number << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0);
  }
  return number;
}

void AppendNumber(std::uint32_t number, std::string& out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift & 0xFF));
  }
}

}  // namespace

bool IsCellCount(std::size_t count) { return std::has_single_bit(count) && count <= kCellsMax; }

std::uint32_t SpaceOf(std::string_view key) { return NumberAt(key, 0); }
std::uint32_t HashOf(std::string_view key) { return NumberAt(key, storage::kSpaceBytes); }

std::string SliceBegin(std::uint32_t space, std::size_t cell, std::size_t cell_count) {
  std::string begin;
  if (cell < cell_count) {
    AppendNumber(space, begin);
    AppendNumber(static_cast<std::uint32_t>((std::uint64_t{cell} << 32) / cell_count), begin);
  } else if (space != UINT32_MAX) {
    AppendNumber(space + 1, begin);
  }
  // A key that lacks zeros at its end sorts before the one that has them.
  while (!begin.empty() && begin.back() == '\0') {
    begin.pop_back();
  }
  return begin;
}

}  // namespace prejoin::cells
