#include "server/http/field_line.h"

#include <array>

#include "base/byte_block.h"

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

// The first control character from `at` on, or data.size().
std::size_t FindControl(std::string_view data, std::size_t at) {
  for (; at + sizeof(ByteBlock) <= data.size(); at += sizeof(ByteBlock)) {
    const auto bytes = LoadBytes<ByteBlock>(data.data() + at);
    const auto found = reinterpret_cast<ByteBlock>((bytes < 0x20) | (bytes == 0x7F));
    if (IsAnySet(found)) {
      return at + FirstSet(found);
    }
  }
  while (at < data.size() && !IsControl(data[at])) {
    ++at;
  }
  return at;
}

// The end of the token at the front. Names of fields are letters and hyphens; the table knows the rest.
std::size_t EndOfToken(std::string_view data) {
  std::size_t at = 0;
  for (; at + sizeof(ByteBlock) <= data.size(); at += sizeof(ByteBlock)) {
    const auto bytes = LoadBytes<ByteBlock>(data.data() + at);
    const auto others = reinterpret_cast<ByteBlock>(
        (((bytes | 0x20) - 'a') >= static_cast<unsigned char>(26)) & (bytes != '-'));
    if (IsAnySet(others)) {
      at += FirstSet(others);
      break;
    }
  }
  while (at < data.size() && kIsToken[static_cast<unsigned char>(data[at])]) {
    ++at;
  }
  return at;
}

}  // namespace

std::optional<FieldLine> ReadFieldLine(std::string_view data) {
  const std::size_t colon = EndOfToken(data);
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
