// OpenSSL's low-level functions are deprecated in favour of contexts that are allocated and looked up by name. They are used here because a
// verified request needs four small digests, for which that preparation costs more than the digests themselves.
#include "auth/digest.h"

#include <cstring>

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

// The state of a hash after the first block of a text. Requests of one second and client begin alike, so the last state is often the next
// one's too.
struct KnownBeginning {
  SHA256_CTX before = {};
  std::array<char, kBlockBytes> block = {};
  SHA256_CTX after = {};
  bool is_known = false;
};

// The state `before` the text, and then after all of it.
SHA256_CTX FeedSimilar(const SHA256_CTX& before, std::string_view text, KnownBeginning& known) {
  if (text.size() < kBlockBytes) {
    SHA256_CTX context = before;
    Feed(context, text);
    return context;
  }
  if (!known.is_known || std::memcmp(known.block.data(), text.data(), kBlockBytes) != 0 ||
      std::memcmp(known.before.h, before.h, sizeof(before.h)) != 0) {
    known.before = before;
    std::memcpy(known.block.data(), text.data(), kBlockBytes);
    known.after = before;
    Feed(known.after, text.substr(0, kBlockBytes));
    known.is_known = true;
  }
  SHA256_CTX context = known.after;
  Feed(context, text.substr(kBlockBytes));
  return context;
}

// Two digits for every byte.
void WriteHex(std::string_view bytes, char* to) {
  static constexpr auto kPairs = [] {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> pairs = {};
    for (std::size_t byte = 0; byte < pairs.size(); ++byte) {
      pairs[byte] = {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return pairs;
  }();
  for (const char c : bytes) {
    // No memcpy: the compiler would call one that checks the bounds, for every byte.
    const auto& pair = kPairs[static_cast<unsigned char>(c)];
    *to++ = pair[0];
    *to++ = pair[1];
  }
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

Digest Sha256OfSimilar(std::string_view text) {
  thread_local KnownBeginning known;
  static const SHA256_CTX kEmpty = [] {
    SHA256_CTX context;
    PJ_CHECK(SHA256_Init(&context) == 1);
    return context;
  }();
  SHA256_CTX context = FeedSimilar(kEmpty, text, known);
  return Finish(context);
}

void AppendHex(std::string_view bytes, std::string& out) {
  const std::size_t at = out.size();
  out.resize(at + 2 * bytes.size());
  WriteHex(bytes, out.data() + at);
}

HexDigest HexOf(const Digest& digest) {
  HexDigest hex;
  WriteHex(BytesOf(digest), hex.data());
  return hex;
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
  thread_local KnownBeginning known;
  SHA256_CTX context = FeedSimilar(inner_, text, known);
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
