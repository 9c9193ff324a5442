// OpenSSL's low-level functions are deprecated in favour of contexts that are allocated and looked up by name. They are used here because a
// verified request needs four small digests, for which that preparation costs more than the digests themselves.
#include "auth/digest.h"

#include "base/check.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace prejoin::auth {
namespace {

constexpr std::size_t kBlockBytes = SHA256_CBLOCK;

void Feed(SHA256_CTX& context, std::string_view text) {
  PJ_CHECK(SHA256_Update(&context, text.data(), text.size()) == 1);
}

Digest Finish(SHA256_CTX& context) {
  Digest digest;
  PJ_CHECK(SHA256_Final(digest.data(), &context) == 1);
  return digest;
}

SHA256_CTX PaddedKey(std::string_view key, unsigned char pad) {
  std::array<char, kBlockBytes> block;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto byte = static_cast<unsigned char>(i < key.size() ? key[i] : 0);
    block[i] = static_cast<char>(byte ^ pad);
  }
  SHA256_CTX context;
  PJ_CHECK(SHA256_Init(&context) == 1);
  Feed(context, {block.data(), block.size()});
  return context;
}

}  // namespace

Digest Sha256(std::string_view text) {
  SHA256_CTX context;
  PJ_CHECK(SHA256_Init(&context) == 1);
  Feed(context, text);
  return Finish(context);
}

void AppendHex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::size_t at = out.size();
  out.resize(at + 2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out[at++] = kDigits[byte >> 4];
    out[at++] = kDigits[byte & 15];
  }
}

std::string Hex(std::string_view bytes) {
  std::string out;
  AppendHex(bytes, out);
  return out;
}

HmacKey::HmacKey(std::string_view key) {
  Digest shortened;
  if (key.size() > kBlockBytes) {
    shortened = Sha256(key);
    key = BytesOf(shortened);
  }
  inner_ = PaddedKey(key, 0x36);
  outer_ = PaddedKey(key, 0x5c);
}

Digest HmacKey::Sign(std::string_view text) const {
  SHA256_CTX context = inner_;
  Feed(context, text);
  const Digest inside = Finish(context);
  context = outer_;
  Feed(context, BytesOf(inside));
  return Finish(context);
}

HmacKey SigningKey(std::string_view secret, std::string_view date, std::string_view region,
                   std::string_view service) {
  Digest key = HmacKey("AWS4" + std::string(secret)).Sign(date);
  for (const std::string_view part : {region, service, std::string_view("aws4_request")}) {
    key = HmacKey(BytesOf(key)).Sign(part);
  }
  return HmacKey(BytesOf(key));
}

}  // namespace prejoin::auth

#pragma GCC diagnostic pop
