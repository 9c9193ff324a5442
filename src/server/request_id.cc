#include "server/request_id.h"

#include <array>
#include <string_view>

namespace prejoin::server {

namespace {

using DigitPair = std::array<char, 2>;

// Two digits of five bits each in one step.
constexpr std::array<DigitPair, 1024> MakeDigitPairs() {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::array<DigitPair, 1024> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {kDigits[i % 32], kDigits[i / 32]};
  }
  return pairs;
}
constexpr std::array<DigitPair, 1024> kDigitPairs = MakeDigitPairs();

}  // namespace

void RequestIds::Next(std::span<char, kRequestIdBytes> out) {
  constexpr int kPairsPerDraw = 6;
  std::uint64_t bits = 0;
  int left = 0;
  for (std::size_t at = 0; at < out.size(); at += 2) {
    if (left == 0) {
      bits = Draw();
      left = kPairsPerDraw;
    }
    const DigitPair pair = kDigitPairs[bits & 1023];
    out[at] = pair[0];
    out[at + 1] = pair[1];
    bits >>= 10;
    --left;
  }
}

// SplitMix64: one addition and three multiplications, good enough for names.
std::uint64_t RequestIds::Draw() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace prejoin::server
