// SHA-256 and its keyed form, as signatures use them.
#ifndef PREJOIN_AUTH_DIGEST_H_
#define PREJOIN_AUTH_DIGEST_H_

#include <openssl/sha.h>

#include <array>
#include <string>
#include <string_view>

namespace prejoin::auth {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

inline std::string_view BytesOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest Sha256(std::string_view text);
// The same, faster for a text that begins as the last one on this thread did.
Digest Sha256OfSimilar(std::string_view text);
void AppendHex(std::string_view bytes, std::string& out);
using HexDigest = std::array<char, 2 * SHA256_DIGEST_LENGTH>;
HexDigest HexOf(const Digest& digest);
std::string Hex(std::string_view bytes);

// HMAC-SHA256 with the key's share worked out once: a server signs with the same key again and again. Thread-compatible.
class HmacKey {
 public:
  explicit HmacKey(std::string_view key);
  Digest Sign(std::string_view text) const;

 private:
  SHA256_CTX inner_;
  SHA256_CTX outer_;
};

// The key that signs the requests of one day, region and service.
HmacKey SigningKey(std::string_view secret, std::string_view date, std::string_view region,
                   std::string_view service);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_DIGEST_H_
