// The private key is a number c + 1, where c is the first of
//
//   HMAC-SHA256("AWS4A" secret, 00000001 "AWS4-ECDSA-P256-SHA256" 00 access-key-id counter 00000100),  counter = 1, 2, …
//
// that is not larger than the order of the curve's group less two: NIST SP 800-108 in counter mode, as AWS uses it. Only its public half is
// kept. As in digest.cc the low-level functions of OpenSSL are used, here because they take a private number as it is.
#include "auth/elliptic.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>

#include <vector>

#include "auth/digest.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace prejoin::auth {
namespace {

constexpr int kCounterMax = 254;

struct NumberDeleter {
  void operator()(BIGNUM* number) const { BN_clear_free(number); }
};
using BigNumber = std::unique_ptr<BIGNUM, NumberDeleter>;

struct PointDeleter {
  void operator()(EC_POINT* point) const { EC_POINT_free(point); }
};
using Point = std::unique_ptr<EC_POINT, PointDeleter>;

// Null if no counter gives one.
BigNumber PrivateNumber(const EC_GROUP* group, std::string_view access_key_id,
                        std::string_view secret) {
  const HmacKey key("AWS4A" + std::string(secret));
  const BigNumber bound(BN_dup(EC_GROUP_get0_order(group)));
  if (bound == nullptr || BN_sub_word(bound.get(), 2) != 1) {
    return nullptr;
  }
  for (int counter = 1; counter <= kCounterMax; ++counter) {
    std::string input("\0\0\0\1AWS4-ECDSA-P256-SHA256\0", 27);
    input.append(access_key_id);
    input.push_back(static_cast<char>(counter));
    input.append(std::string_view("\0\0\1\0", 4));
    const Digest digest = key.Sign(input);
    BigNumber number(BN_bin2bn(digest.data(), static_cast<int>(digest.size()), nullptr));
    if (number == nullptr) {
      return nullptr;
    }
    if (BN_cmp(number.get(), bound.get()) > 0) {
      continue;
    }
    return BN_add_word(number.get(), 1) == 1 ? std::move(number) : nullptr;
  }
  return nullptr;
}

int HexDigitOf(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

void EllipticKey::Deleter::operator()(ec_key_st* key) const { EC_KEY_free(key); }

std::shared_ptr<const EllipticKey> EllipticKey::Derive(std::string_view access_key_id,
                                                       std::string_view secret) {
  auto derived = std::make_shared<EllipticKey>();
  derived->key_.reset(EC_KEY_new_by_curve_name(NID_X9_62_prime256v1));
  if (derived->key_ == nullptr) {
    return nullptr;
  }
  const EC_GROUP* const group = EC_KEY_get0_group(derived->key_.get());
  const BigNumber number = PrivateNumber(group, access_key_id, secret);
  const Point point(EC_POINT_new(group));
  if (number == nullptr || point == nullptr ||
      EC_POINT_mul(group, point.get(), number.get(), nullptr, nullptr, nullptr) != 1 ||
      EC_KEY_set_public_key(derived->key_.get(), point.get()) != 1) {
    return nullptr;
  }
  return derived;
}

bool EllipticKey::Verify(std::string_view text, std::string_view signature) const {
  constexpr std::size_t kSignatureDigitsMax = 144;  // 72 bytes of DER.
  if (signature.size() % 2 != 0 || signature.size() > kSignatureDigitsMax) {
    return false;
  }
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < signature.size(); i += 2) {
    const int high = HexDigitOf(signature[i]);
    const int low = HexDigitOf(signature[i + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    bytes.push_back(static_cast<unsigned char>(high * 16 + low));
  }
  const Digest digest = Sha256(text);
  return ECDSA_verify(0, digest.data(), static_cast<int>(digest.size()), bytes.data(),
                      static_cast<int>(bytes.size()), key_.get()) == 1;
}

std::string EllipticKey::PublicKeyForTesting() const {
  unsigned char bytes[65];
  const std::size_t size =
      EC_POINT_point2oct(EC_KEY_get0_group(key_.get()), EC_KEY_get0_public_key(key_.get()),
                         POINT_CONVERSION_UNCOMPRESSED, bytes, sizeof(bytes), nullptr);
  return Hex({reinterpret_cast<const char*>(bytes) + 1, size - 1});
}

}  // namespace prejoin::auth

#pragma GCC diagnostic pop
