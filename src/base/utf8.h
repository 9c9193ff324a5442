// Text in UTF-8.
#ifndef PREJOIN_BASE_UTF8_H_
#define PREJOIN_BASE_UTF8_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace prejoin {

// Bytes that the lead byte says its character has; 0 for a byte that begins none.
inline std::size_t Utf8CharacterBytes(unsigned char lead) {
  return lead < 0x80   ? 1
         : lead < 0xC2 ? 0
         : lead < 0xE0 ? 2
         : lead < 0xF0 ? 3
         : lead < 0xF5 ? 4
                       : 0;
}

// Returns a position at or before the first byte that is not ASCII, in steps of eight: most texts have none.
inline std::size_t AsciiPrefixBytes(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof(word), text.size() - at));
    if ((word & kHighBits) != 0) {
      return at;
    }
  }
  return text.size();
}

// Returns the number of leading bytes of the text that are whole UTF-8 characters.
inline std::size_t Utf8PrefixBytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t at = AsciiPrefixBytes(text); at < text.size();) {
    const unsigned char lead = byte(at);
    const std::size_t size = Utf8CharacterBytes(lead);
    if (size == 0 || text.size() - at < size) {
      return at;
    }
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(at + i) & 0xC0) != 0x80) {
        return at;
      }
    }
    // Longer than needed, half of a surrogate pair, or past the last character.
    const unsigned char second = size > 1 ? byte(at + 1) : 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90)) {
      return at;
    }
    at += size;
  }
  return text.size();
}

inline bool IsUtf8(std::string_view text) { return Utf8PrefixBytes(text) == text.size(); }

// The text, or as much of its beginning as fits without cutting a character. Requires UTF-8.
inline std::string_view CutUtf8(std::string_view text, std::size_t bytes_max) {
  return text.substr(0, Utf8PrefixBytes(text.substr(0, bytes_max)));
}

}  // namespace prejoin

#endif  // PREJOIN_BASE_UTF8_H_
