#include "value/base64.h"

#include <array>
#include <cstdint>
#include <utility>

namespace prejoin {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Twelve bits at a time: half as many steps as with one character at a time.
constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {kAlphabet[i >> 6], kAlphabet[i & 63]};
  }
  return pairs;
}();

constexpr std::uint8_t kInvalid = 0xFF;

constexpr auto kSextets = [] {
  std::array<std::uint8_t, 256> sextets{};
  sextets.fill(kInvalid);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    sextets[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return sextets;
}();

Error Refusal(std::string message) { return Error{ErrorCode::kSerialization, std::move(message)}; }

std::uint32_t Byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// All bytes of it: an answer is UTF-8 whatever it quotes.
std::string CharacterAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    ++end;
  }
  return std::string(text.substr(at, end - at));
}

}  // namespace

void AppendBase64(std::string_view bytes, std::string& out) {
  std::size_t at = out.size();
  out.resize(at + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + at;
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, to += 4) {
    const std::uint32_t bits = Byte(bytes, i) << 16 | Byte(bytes, i + 1) << 8 | Byte(bytes, i + 2);
    const auto& high = kPairs[bits >> 12];
    const auto& low = kPairs[bits & 0xFFF];
    to[0] = high[0];
    to[1] = high[1];
    to[2] = low[0];
    to[3] = low[1];
  }
  if (i == bytes.size()) {
    return;
  }
  const bool two = bytes.size() - i == 2;
  const std::uint32_t bits = Byte(bytes, i) << 16 | (two ? Byte(bytes, i + 1) << 8 : 0);
  to[0] = kAlphabet[bits >> 18];
  to[1] = kAlphabet[bits >> 12 & 63];
  to[2] = two ? kAlphabet[bits >> 6 & 63] : '=';
  to[3] = '=';
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return Refusal("Base64 encoded length is expected a multiple of 4 bytes but found: " +
                   std::to_string(text.size()));
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = !last || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 4 - padding; ++j) {
      const std::uint8_t sextet = kSextets[static_cast<unsigned char>(text[i + j])];
      if (sextet == kInvalid) {
        return Refusal(last ? "Invalid last non-pad Base64 character dectected"
                            : "Invalid Base64 character: '" + CharacterAt(text, i + j) + "'");
      }
      bits |= std::uint32_t{sextet} << (18 - 6 * j);
    }
    // The bits that padding cuts off must be zero, or two texts would mean the same bytes.
    if ((bits & ((1u << (8 * padding)) - 1)) != 0) {
      return Refusal("Invalid last non-pad Base64 character dectected");
    }
    for (std::size_t j = 0; j < 3 - padding; ++j) {
      bytes.push_back(static_cast<char>(bits >> (16 - 8 * j)));
    }
  }
  return bytes;
}

}  // namespace prejoin
