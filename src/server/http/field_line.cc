#include "server/http/field_line.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace prejoin::server {
namespace {

constexpr std::array<bool, 256> MakeTokenTable() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}
constexpr std::array<bool, 256> kIsToken = MakeTokenTable();

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// The first control character from `at` on, or data.size(). Eight bytes at a time: a byte of `found` has its high bit set
// if that byte of the word is below 0x20 or is 0x7F. A borrow can spoil only bytes above the first one that was found.
std::size_t FindControl(std::string_view data, std::size_t at) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::uint64_t word = 0; at + sizeof(word) <= data.size(); at += sizeof(word)) {
    std::memcpy(&word, data.data() + at, sizeof(word));
    const std::uint64_t found =
        ((word - kOnes * 0x20) | ((word ^ kOnes * 0x7F) - kOnes)) & ~word & kHighBits;
    if (found != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (at < data.size() && !IsControl(data[at])) {
    ++at;
  }
  return at;
}

}  // namespace

std::optional<FieldLine> ReadFieldLine(std::string_view data) {
  std::size_t colon = 0;
  while (colon < data.size() && kIsToken[static_cast<unsigned char>(data[colon])]) {
    ++colon;
  }
  if (colon == 0 || colon == data.size() || data[colon] != ':') {
    return std::nullopt;
  }
  std::size_t begin = colon + 1;
  while (begin < data.size() && data[begin] == ' ') {
    ++begin;
  }
  const std::size_t line_end = FindControl(data, begin);
  if (line_end + 2 >= data.size() || data[line_end] != '\r' || data[line_end + 1] != '\n' ||
      IsBlank(data[line_end + 2])) {
    return std::nullopt;
  }
  std::size_t end = line_end;
  while (end > begin && data[end - 1] == ' ') {
    --end;
  }
  return FieldLine{data.substr(0, colon), data.substr(begin, end - begin), line_end + 2};
}

}  // namespace prejoin::server
