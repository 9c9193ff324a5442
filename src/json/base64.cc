#include "json/base64.h"

#include <array>
#include <cstdint>

namespace prejoin::json {
namespace {

constexpr std::uint8_t kInvalid = 0xFF;

constexpr auto kSextets = [] {
  std::array<std::uint8_t, 256> sextets{};
  sextets.fill(kInvalid);
  for (std::size_t i = 0; i < kBase64Alphabet.size(); ++i) {
    sextets[static_cast<unsigned char>(kBase64Alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return sextets;
}();

Error Refusal(std::string message) { return Error{ErrorCode::kSerialization, std::move(message)}; }

}  // namespace

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
                            : "Invalid Base64 character: '" + std::string(1, text[i + j]) + "'");
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

}  // namespace prejoin::json
