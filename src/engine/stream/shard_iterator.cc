#include "engine/stream/shard_iterator.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "base/fingerprint.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kMark = "|1|";
constexpr std::size_t kFieldDigits = 16;  // Hexadecimal.
constexpr std::size_t kFields = 3;        // Shard, next, time; a letter and a checksum follow.

void AppendHex(std::uint64_t number, std::string& out) {
  std::array<char, kFieldDigits + 1> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  out += text.data();
}

// Not a secret: it only tells damaged iterators from whole ones.
std::string Checksum(std::string_view text) {
  std::string hex;
  AppendHex(ReadBigEndian(Fingerprint(text).substr(0, sizeof(std::uint64_t))), hex);
  return hex;
}

}  // namespace

std::string PrintIterator(const ShardIterator& iterator) {
  std::string text = iterator.stream_arn;
  text += kMark;
  AppendHex(iterator.shard, text);
  AppendHex(iterator.next, text);
  AppendHex(static_cast<std::uint64_t>(iterator.made_ms), text);
  text.push_back(iterator.from_horizon ? 'H' : 'N');
  return text + Checksum(text);
}

std::optional<ShardIterator> ParseIterator(std::string_view text) {
  const std::size_t mark = text.rfind(kMark);
  constexpr std::size_t kTail = (kFields + 1) * kFieldDigits + 1;
  if (mark == std::string_view::npos || text.size() != mark + kMark.size() + kTail ||
      Checksum(text.substr(0, text.size() - kFieldDigits)) !=
          text.substr(text.size() - kFieldDigits)) {
    return std::nullopt;
  }
  std::array<std::uint64_t, kFields> fields{};
  const char* at = text.data() + mark + kMark.size();
  for (std::uint64_t& field : fields) {
    std::from_chars(at, at + kFieldDigits, field, 16);
    at += kFieldDigits;
  }
  return ShardIterator{.stream_arn = std::string(text.substr(0, mark)),
                       .shard = fields[0],
                       .next = fields[1],
                       .made_ms = static_cast<std::int64_t>(fields[2]),
                       .from_horizon = *at == 'H'};
}

}  // namespace prejoin::engine
