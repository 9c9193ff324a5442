#include "auth/credential_scope.h"

#include <array>
#include <cstdint>

namespace prejoin::auth {

std::optional<CredentialScope> ScopeOf(const SignedRequest& request) {
  const auto claim = ReadClaim(request);
  if (!claim) {
    return std::nullopt;
  }
  // From the end: a key may have slashes of its own.
  std::string_view rest = claim->credential;
  std::array<std::string_view, 4> parts;  // aws4_request, service, region, date.
  for (std::string_view& part : parts) {
    const auto slash = rest.rfind('/');
    if (slash == std::string_view::npos) {
      return std::nullopt;
    }
    part = rest.substr(slash + 1);
    rest = rest.substr(0, slash);
  }
  return CredentialScope{std::string(rest), std::string(parts[2])};
}

std::optional<std::string> AccountOf(std::string_view access_key_id) {
  if (access_key_id.size() != 20 ||
      !(access_key_id.starts_with("AKIA") || access_key_id.starts_with("ASIA"))) {
    return std::nullopt;
  }
  // Base 32; the account follows the first bit, in forty bits less one.
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  constexpr int kDigitsRead = 10;  // Fifty bits, of which 48 make six bytes.
  std::uint64_t bits = 0;
  for (const char c : access_key_id.substr(4)) {
    if (kDigits.find(c) == std::string_view::npos) {
      return std::nullopt;
    }
  }
  for (const char c : access_key_id.substr(4, kDigitsRead)) {
    bits = bits << 5 | kDigits.find(c);
  }
  const std::uint64_t six_bytes = bits >> 2;
  const std::uint64_t account = (six_bytes & 0x7FFFFFFFFF80U) >> 7;
  std::string text = std::to_string(account);
  return text.size() > 12 ? std::nullopt : std::optional(std::string(12 - text.size(), '0') + text);
}

}  // namespace prejoin::auth
