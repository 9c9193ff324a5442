// MD5 (RFC 1321), which the manifests of exports carry. A checksum against accidents, not against
// attackers.
#ifndef PREJOIN_TRANSFER_MD5_H_
#define PREJOIN_TRANSFER_MD5_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace prejoin::transfer {

// Single thread.
class Md5 {
 public:
  using Digest = std::array<std::uint8_t, 16>;

  void Add(std::string_view bytes);
  // Once, at the end.
  Digest Finish();

 private:
  static constexpr std::size_t kBlockBytes = 64;
  void AddBlock(const std::uint8_t* block);

  std::array<std::uint32_t, 4> state_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::array<std::uint8_t, kBlockBytes> pending_ = {};
  std::uint64_t bytes_ = 0;
};

std::string Hex(const Md5::Digest& digest);
std::string Base64(const Md5::Digest& digest);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_MD5_H_
