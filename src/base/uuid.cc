#include "base/uuid.h"

#include <array>
#include <cstdio>
#include <random>

namespace prejoin {

std::string NewUuid() {
  std::random_device random;
  std::array<unsigned, 4> words{};
  for (unsigned& word : words) {
    word = random();
  }
  words[1] = (words[1] & 0xFFFF0FFFu) | 0x00004000u;  // Version 4.
  words[2] = (words[2] & 0x3FFFFFFFu) | 0x80000000u;  // Variant of RFC 4122.
  std::array<char, 37> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%04x%08x", words[0], words[1] >> 16,
                words[1] & 0xFFFF, words[2] >> 16, words[2] & 0xFFFF, words[3]);
  return std::string(text.data());
}

}  // namespace prejoin
