#include "auth/sign.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <map>

#include "auth/digest.h"
#include "base/check.h"

namespace prejoin::auth {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

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
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// Outer spaces are no part of a header's value, and inner ones count as one.
std::string Trimmed(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) {
      continue;
    }
    out += c;
  }
  while (out.ends_with(' ')) {
    out.pop_back();
  }
  return out;
}

}  // namespace

Headers Sign(const UnsignedRequest& request, const Credentials& credentials,
             const SigningScope& scope) {
  const std::string date_time = DateTime(scope.seconds);
  const std::string date = date_time.substr(0, 8);
  Headers added = {{"X-Amz-Date", date_time}};
  if (!credentials.session_token.empty()) {
    added.emplace_back("X-Amz-Security-Token", credentials.session_token);
  }

  std::map<std::string, std::string> signed_headers;
  for (const Headers& headers : {request.headers, added}) {
    for (const auto& [name, value] : headers) {
      signed_headers[Lower(name)] = Trimmed(value);
    }
  }
  std::string canonical = std::string(request.method) + "\n/\n\n";
  std::string names;
  for (const auto& [name, value] : signed_headers) {
    canonical += name + ":" + value + "\n";
    names += (names.empty() ? "" : ";") + name;
  }
  canonical += "\n" + names + "\n" + Hex(BytesOf(Sha256(request.body)));

  const std::string scope_text = date + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string to_sign = std::string(kAlgorithm) + "\n" + date_time + "\n" + scope_text +
                              "\n" + Hex(BytesOf(Sha256(canonical)));
  const HmacKey key = SigningKey(credentials.secret_access_key, date, scope.region, scope.service);
  added.emplace_back("Authorization", std::string(kAlgorithm) +
                                          " Credential=" + credentials.access_key_id + "/" +
                                          scope_text + ", SignedHeaders=" + names +
                                          ", Signature=" + Hex(BytesOf(key.Sign(to_sign))));
  return added;
}

}  // namespace prejoin::auth
