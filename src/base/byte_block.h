// Sixteen bytes of text looked at in one step, in vector extensions that GCC and Clang turn into what
// the machine has (SSE2, NEON).
#ifndef PREJOIN_BASE_BYTE_BLOCK_H_
#define PREJOIN_BASE_BYTE_BLOCK_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace prejoin {

using ByteBlock [[gnu::vector_size(16)]] = unsigned char;

// Reads a ByteBlock or an integer from bytes that need no alignment.
template <class Word>
inline Word LoadBytes(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

inline std::array<std::uint64_t, 2> HalvesOf(ByteBlock block) {
  return std::bit_cast<std::array<std::uint64_t, 2>>(block);
}

inline bool IsAnySet(ByteBlock block) {
  const auto halves = HalvesOf(block);
  return (halves[0] | halves[1]) != 0;
}

inline std::size_t SumOf(ByteBlock block) {
  constexpr std::uint64_t kEvenBytes = 0x00FF00FF00FF00FF;
  constexpr std::uint64_t kOnes = 0x0001000100010001;
  const auto halves = HalvesOf(block);
  const std::uint64_t pairs = (halves[0] & kEvenBytes) + (halves[0] >> 8 & kEvenBytes) +
                              (halves[1] & kEvenBytes) + (halves[1] >> 8 & kEvenBytes);
  return static_cast<std::size_t>(pairs * kOnes >> 48);  // At most 16 × 255.
}

// Returns the place of the first byte that is not zero, or 16.
inline std::size_t FirstSet(ByteBlock block) {
  static_assert(std::endian::native == std::endian::little);
  const auto halves = HalvesOf(block);
  const bool is_low = halves[0] != 0;
  const int zeros = std::countr_zero(is_low ? halves[0] : halves[1]);
  return (is_low ? 0U : 8U) + static_cast<std::size_t>(zeros) / 8;
}

}  // namespace prejoin

#endif  // PREJOIN_BASE_BYTE_BLOCK_H_
