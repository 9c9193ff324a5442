// Eight bytes at a time by eight tables: table n has the effect of a byte with n more bytes behind
// it, so the eight look-ups of one step do not wait for each other. About a gigabyte a second.
#include "storage/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace prejoin::storage {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F6'3B78;  // Bits reversed.

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables MakeTables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
    }
    tables[0][byte] = crc;
  }
  for (std::size_t n = 1; n < tables.size(); ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[n - 1][byte];
      tables[n][byte] = crc >> 8 ^ tables[0][crc & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();
static_assert(std::endian::native == std::endian::little, "a step reads eight bytes as a number");

}  // namespace

std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  while (bytes.size() >= 8) {
    std::uint64_t step = 0;
    std::memcpy(&step, bytes.data(), sizeof(step));
    step ^= crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      crc ^= kTables[7 - i][step >> (8 * i) & 0xFF];
    }
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) {
    crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  }
  return ~crc;
}

}  // namespace prejoin::storage
