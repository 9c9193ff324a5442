// Lengths and counts in stored bytes: LEB128, seven bits a byte, lowest first, at most 32 bits.
#ifndef PREJOIN_VALUE_VARINT_H_
#define PREJOIN_VALUE_VARINT_H_

#include <cstdint>
#include <string>

namespace prejoin {

inline void AppendVarint(std::uint32_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Reads and moves `at` past it. Trusts the bytes; value/validate.cc has the reader that does not.
inline std::uint32_t ReadVarint(const char*& at) {
  std::uint32_t byte = static_cast<unsigned char>(*at++);
  if (byte < 0x80) [[likely]] {
    return byte;
  }
  std::uint32_t value = byte & 0x7F;
  for (int shift = 7; shift < 35; shift += 7) {
    byte = static_cast<unsigned char>(*at++);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) {
      break;
    }
  }
  return value;
}

}  // namespace prejoin

#endif  // PREJOIN_VALUE_VARINT_H_
