#include "auth/sign.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <map>

#include "base/check.h"

namespace prejoin::auth {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string Sha256(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  PJ_CHECK(EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

std::string HmacSha256(std::string_view key, std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  PJ_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest,
                &size) != nullptr);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

// 20150830T123600Z
std::string DateTime(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts = {};
  PJ_CHECK(gmtime_r(&time, &parts) != nullptr);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
  return std::string(text, size);
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Outer spaces are no part of a header's value, and inner ones count as one.
std::string Trimmed(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

Headers Sign(const UnsignedRequest& request, const Credentials& credentials,
             const SigningScope& scope) {
  const std::string date_time = DateTime(scope.seconds);
  const std::string date = date_time.substr(0, 8);
  Headers added = {{"X-Amz-Date", date_time}};
  if (!credentials.session_token.empty())
    added.emplace_back("X-Amz-Security-Token", credentials.session_token);

  std::map<std::string, std::string> signed_headers;
  for (const Headers& headers : {request.headers, added}) {
    for (const auto& [name, value] : headers) signed_headers[Lower(name)] = Trimmed(value);
  }
  std::string canonical = std::string(request.method) + "\n/\n\n";
  std::string names;
  for (const auto& [name, value] : signed_headers) {
    canonical += name + ":" + value + "\n";
    names += (names.empty() ? "" : ";") + name;
  }
  canonical += "\n" + names + "\n" + Hex(Sha256(request.body));

  const std::string scope_text = date + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string to_sign = std::string(kAlgorithm) + "\n" + date_time + "\n" + scope_text +
                              "\n" + Hex(Sha256(canonical));
  std::string key = HmacSha256("AWS4" + credentials.secret_access_key, date);
  key = HmacSha256(key, scope.region);
  key = HmacSha256(key, scope.service);
  key = HmacSha256(key, "aws4_request");
  added.emplace_back("Authorization", std::string(kAlgorithm) +
                                          " Credential=" + credentials.access_key_id + "/" +
                                          scope_text + ", SignedHeaders=" + names +
                                          ", Signature=" + Hex(HmacSha256(key, to_sign)));
  return added;
}

}  // namespace prejoin::auth
