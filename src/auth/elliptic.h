// The asymmetric form of Signature Version 4 (SigV4A): ECDSA on P-256 with a key that is derived from the secret.
#ifndef PREJOIN_AUTH_ELLIPTIC_H_
#define PREJOIN_AUTH_ELLIPTIC_H_

#include <memory>
#include <string>
#include <string_view>

struct ec_key_st;

namespace prejoin::auth {

// Immutable, thread-safe.
class EllipticKey {
 public:
  // Null if the secret gives no key, which no secret in practice does.
  static std::shared_ptr<const EllipticKey> Derive(std::string_view access_key_id,
                                                   std::string_view secret);

  // `signature` is DER in hexadecimal digits.
  bool Verify(std::string_view text, std::string_view signature) const;
  // For tests: the public key, as AWS writes it.
  std::string PublicKeyForTesting() const;

 private:
  struct Deleter {
    void operator()(ec_key_st* key) const;
  };
  std::unique_ptr<ec_key_st, Deleter> key_;
};

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_ELLIPTIC_H_
