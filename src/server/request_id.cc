#include "server/request_id.h"

namespace prejoin::server {

void RequestIds::Next(std::span<char, kRequestIdBytes> out) {
  static constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  constexpr int kDigitsPerDraw = 12;  // Five bits each.
  std::uint64_t bits = 0;
  int left = 0;
  for (char& c : out) {
    if (left == 0) {
      bits = Draw();
      left = kDigitsPerDraw;
    }
    c = kDigits[bits & 31];
    bits >>= 5;
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
