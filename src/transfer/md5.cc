#include "transfer/md5.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace prejoin::transfer {
namespace {

// floor(2^32 * |sin(i + 1)|), as the RFC defines its table.
std::array<std::uint32_t, 64> MakeSines() {
  std::array<std::uint32_t, 64> sines{};
  for (std::size_t i = 0; i < sines.size(); ++i) {
    sines[i] = static_cast<std::uint32_t>(
        std::floor(std::ldexp(std::fabs(std::sin(static_cast<double>(i + 1))), 32)));
  }
  return sines;
}

constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

}  // namespace

void Md5::AddBlock(const std::uint8_t* block) {
  static const std::array<std::uint32_t, 64> kSines = MakeSines();
  std::array<std::uint32_t, 16> words;
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(words.data(), block, kBlockBytes);
  auto [a, b, c, d] = state_;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t round = i / 16;
    std::uint32_t mixed = 0;
    std::uint32_t word = 0;
    switch (round) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = (7 * i) % 16;
        break;
    }
    const std::uint32_t sum = a + mixed + kSines[i] + words[word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[round][i % 4]);
  }
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

void Md5::Add(std::string_view bytes) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    const std::size_t at = bytes_ % kBlockBytes;
    const std::size_t taken = std::min(left, kBlockBytes - at);
    std::memcpy(pending_.data() + at, from, taken);
    bytes_ += taken;
    from += taken;
    left -= taken;
    if (bytes_ % kBlockBytes == 0) {
      AddBlock(pending_.data());
    }
  }
}

Md5::Digest Md5::Finish() {
  const std::uint64_t bits = bytes_ * 8;
  Add("\x80");
  while (bytes_ % kBlockBytes != kBlockBytes - sizeof(bits)) {
    Add(std::string_view("\0", 1));
  }
  Add(std::string_view(reinterpret_cast<const char*>(&bits), sizeof(bits)));
  Digest digest;
  std::memcpy(digest.data(), state_.data(), digest.size());
  return digest;
}

std::string Hex(const Md5::Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string Base64(const Md5::Digest& digest) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < digest.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (i + j < digest.size() ? digest[i + j] : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text.push_back(i + j > digest.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63]);
    }
  }
  return text;
}

}  // namespace prejoin::transfer
