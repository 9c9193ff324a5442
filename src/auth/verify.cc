// A signature is checked by making it again. The canonical request (canonical.h) is hashed into a text to sign:
//
//   AWS4-HMAC-SHA256
//   20150830T123600Z
//   20150830/us-east-1/dynamodb/aws4_request
//   <hash of the canonical request, which ends with the hash of the body>
//
// and signed with a key that is derived from the secret, the day, the region and the service. The two signatures are compared in constant
// time. Everything before that (form, scope, time) is checked first because AWS does so and because it costs nothing; none of it depends on
// a secret.
#include "auth/verify.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "auth/canonical.h"

namespace prejoin::auth {
namespace {

constexpr std::string_view kEllipticAlgorithm = "AWS4-ECDSA-P256-SHA256";
constexpr std::string_view kTerminator = "aws4_request";

Error InvalidSignature(std::string message) {
  return AuthenticationError("InvalidSignatureException", std::move(message));
}

Error IncompleteSignature(std::string message) {
  return AuthenticationError("IncompleteSignatureException", std::move(message));
}

Error WrongSignature() {
  return InvalidSignature(
      "The request signature we calculated does not match the signature you provided. Check your "
      "AWS Secret Access Key and signing method. Consult the service documentation for details.");
}

// An asymmetric signature is for a set of regions, so its credential names none.
Result<CredentialParts> SplitCredential(std::string_view credential, bool has_region) {
  const std::size_t wanted = has_region ? 5 : 4;
  std::array<std::string_view, 5> parts;
  std::string_view rest = credential;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const auto end = rest.find('/');
    more = end != std::string_view::npos;
    if (count < parts.size()) {
      parts[count] = rest.substr(0, end);
    }
    rest = more ? rest.substr(end + 1) : std::string_view();
  }
  if (count != wanted) {
    return IncompleteSignature("Credential must have exactly " + std::to_string(wanted) +
                               " slash-delimited elements, e.g. keyid/date/" +
                               (has_region ? "region/" : "") + "service/term, got '" +
                               std::string(credential) + "'");
  }
  if (!has_region) {
    return CredentialParts{parts[0], parts[1], {}, parts[2], parts[3]};
  }
  return CredentialParts{parts[0], parts[1], parts[2], parts[3], parts[4]};
}

bool ReadDigits(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && text.front() != '-';
}

// 20150830T123600Z
std::optional<std::int64_t> ReadDateTime(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') {
    return std::nullopt;
  }
  for (const std::string_view digits : {text.substr(0, 8), text.substr(9, 6)}) {
    if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) {
      return std::nullopt;
    }
  }
  const auto two = [&](std::size_t at) {
    return static_cast<unsigned>((text[at] - '0') * 10 + text[at + 1] - '0');
  };
  const unsigned month = two(4), day = two(6), hour = two(9), minute = two(11), second = two(13);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  // Not timegm, which asks for the time zone first.
  const std::chrono::sys_days date = std::chrono::year(static_cast<int>(two(0) * 100 + two(2))) /
                                     std::chrono::month(month) / std::chrono::day(day);
  return std::chrono::sys_seconds(date).time_since_epoch().count() + hour * 3600 + minute * 60 +
         second;
}

std::string DateTimeText(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts));
}

// "us-east-1,eu-*": stars are at the end of a name.
bool RegionSetHas(std::string_view set, std::string_view region) {
  while (!set.empty()) {
    const auto comma = set.find(',');
    std::string_view one = set.substr(0, comma);
    set = comma == std::string_view::npos ? std::string_view() : set.substr(comma + 1);
    while (one.starts_with(' ')) {
      one.remove_prefix(1);
    }
    if (one == region) {
      return true;
    }
    if (one.ends_with('*') && region.starts_with(one.substr(0, one.size() - 1))) {
      return true;
    }
  }
  return false;
}

Status CheckScope(const CredentialParts& parts, const Scope& scope, const Claim& claim) {
  const std::string_view date_time = claim.date_time;
  std::string wrong;
  const bool is_asymmetric = claim.algorithm == kEllipticAlgorithm;
  if (!scope.region.empty() && (is_asymmetric ? !RegionSetHas(claim.region_set, scope.region)
                                              : parts.region != scope.region)) {
    wrong += "Credential should be scoped to a valid region. ";
  }
  if (parts.service != scope.service) {
    wrong.append("Credential should be scoped to correct service: '")
        .append(scope.service)
        .append("'. ");
  }
  if (parts.terminator != kTerminator) {
    wrong.append("Credential should be scoped with a valid terminator: 'aws4_request', not '")
        .append(parts.terminator)
        .append("'. ");
  }
  if (parts.date != date_time.substr(0, 8)) {
    wrong
        .append(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
            "HTTP: '")
        .append(parts.date)
        .append("' != '")
        .append(date_time.substr(0, 8))
        .append("', from '")
        .append(date_time)
        .append("'. ");
  }
  return wrong.empty() ? Status() : Status(InvalidSignature(std::move(wrong)));
}

Status CheckSignedHeaders(const SignedRequest& request, const Claim& claim) {
  if (!ListHas(claim.signed_headers, "host")) {
    return InvalidSignature(
        "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  }
  if (!claim.in_query && claim.algorithm == kEllipticAlgorithm &&
      !ListHas(claim.signed_headers, "x-amz-region-set")) {
    return InvalidSignature(
        "'X-Amz-Region-Set' must be a 'SignedHeader' in the AWS Authorization.");
  }
  // It says which operation is meant: whoever catches a request must not be able to make another one of it.
  if (!ListHas(claim.signed_headers, "x-amz-target") && !request.Header("x-amz-target").empty()) {
    return InvalidSignature("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  }
  return {};
}

Result<std::int64_t> PresignedSeconds(const Claim& claim) {
  int seconds = 0;
  if (claim.expires_seconds.empty()) {
    return IncompleteSignature(
        "AWS query-string parameters must include 'X-Amz-Expires'. Re-examine the query-string "
        "parameters.");
  }
  if (!ReadDigits(claim.expires_seconds, seconds) || seconds > kPresignedSecondsMax) {
    return IncompleteSignature("X-Amz-Expires must be between 0 and 604800 seconds");
  }
  return std::int64_t{seconds};
}

Status CheckTime(const Claim& claim, std::int64_t sent, std::int64_t now) {
  std::int64_t allowed = kSkewSeconds;
  if (claim.in_query) {
    PJ_ASSIGN_OR_RETURN(allowed, PresignedSeconds(claim));
  }
  if (sent < now - allowed) {
    const std::string bound = claim.in_query ? std::to_string(allowed) + " s" : "5 min.";
    return InvalidSignature("Signature expired: " + std::string(claim.date_time) +
                            " is now earlier than " + DateTimeText(now - allowed) + " (" +
                            DateTimeText(now) + " - " + bound + ")");
  }
  if (sent > now + kSkewSeconds) {
    return InvalidSignature("Signature not yet current: " + std::string(claim.date_time) +
                            " is still later than " + DateTimeText(now + kSkewSeconds) + " (" +
                            DateTimeText(now) + " + 5 min.)");
  }
  return {};
}

// In a time that does not tell where they differ: words, because bytes one by one take longer than the digest of a block.
bool IsSameSignature(const HexDigest& made, std::string_view given) {
  constexpr std::size_t kWords = sizeof(HexDigest) / sizeof(std::uint64_t);
  if (given.size() != made.size()) {
    return false;
  }
  std::array<std::uint64_t, kWords> left, right;
  std::memcpy(left.data(), made.data(), made.size());
  std::memcpy(right.data(), given.data(), given.size());
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    difference |= left[i] ^ right[i];
  }
  return difference == 0;
}

void WriteCanonicalRequest(const SignedRequest& request, const Claim& claim,
                           std::string& canonical) {
  canonical.clear();
  canonical.append(request.method) += '\n';
  canonical.append(CanonicalPath(request.path)) += '\n';
  canonical.append(CanonicalQuery(request.query, claim.in_query ? "X-Amz-Signature" : "")) += '\n';
  AppendCanonicalHeaders(claim.signed_headers, request.headers, canonical);
  canonical += '\n';
  canonical.append(claim.signed_headers) += '\n';
  AppendHex(BytesOf(Sha256(request.body)), canonical);
}

}  // namespace

Error UnknownKeyError() {
  return AuthenticationError("UnrecognizedClientException",
                             "The security token included in the request is invalid.");
}

Error ExpiredTokenError() {
  return AuthenticationError("ExpiredTokenException",
                             "The security token included in the request is expired");
}

HmacKey Verifier::KeyFor(const std::string& secret, const CredentialParts& parts) {
  // The parts stand one behind the other in the request.
  const std::string_view name(
      parts.key_id.data(),
      static_cast<std::size_t>(parts.service.data() + parts.service.size() - parts.key_id.data()));
  {
    MutexLock lock(mutex_);
    const auto found = keys_.find(name);
    if (found != keys_.end() && found->second.secret == secret) {
      return found->second.key;
    }
  }
  HmacKey key = SigningKey(secret, parts.date, parts.region, parts.service);
  MutexLock lock(mutex_);
  if (keys_.size() >= kSigningKeysMax) {
    keys_.clear();
  }
  keys_.insert_or_assign(std::string(name), KeptKey{secret, key});
  return key;
}

std::shared_ptr<const EllipticKey> Verifier::EllipticKeyFor(std::string_view secret,
                                                            std::string_view access_key_id) {
  std::string name(access_key_id);
  name.append("/").append(secret);
  {
    MutexLock lock(mutex_);
    const auto found = elliptic_keys_.find(name);
    if (found != elliptic_keys_.end()) {
      return found->second;
    }
  }
  auto key = EllipticKey::Derive(access_key_id, secret);
  MutexLock lock(mutex_);
  if (elliptic_keys_.size() >= kSigningKeysMax) {
    elliptic_keys_.clear();
  }
  elliptic_keys_.insert_or_assign(std::move(name), key);
  return key;
}

bool Verifier::IsSignedBy(const std::string& secret, const Claim& claim,
                          const CredentialParts& parts, std::string_view to_sign) {
  if (claim.algorithm == kEllipticAlgorithm) {
    const auto key = EllipticKeyFor(secret, parts.key_id);
    return key != nullptr && key->Verify(to_sign, claim.signature);
  }
  const HmacKey key = KeyFor(secret, parts);
  return IsSameSignature(HexOf(key.Sign(to_sign)), claim.signature);
}

Status Verifier::Verify(const SignedRequest& request, const Scope& scope, FindSecret find_secret) {
  PJ_ASSIGN_OR_RETURN(const Claim claim, ReadClaim(request));
  const bool is_asymmetric = claim.algorithm == kEllipticAlgorithm;
  if (claim.algorithm != kHmacAlgorithm && !is_asymmetric) {
    return IncompleteSignature("Unsupported AWS 'algorithm': '" + std::string(claim.algorithm) +
                               "'.");
  }
  PJ_ASSIGN_OR_RETURN(const CredentialParts parts,
                      SplitCredential(claim.credential, !is_asymmetric));
  const auto sent = ReadDateTime(claim.date_time);
  if (!sent) {
    return IncompleteSignature("Date must be in ISO-8601 'basic format'. Got '" +
                               std::string(claim.date_time) +
                               "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
  PJ_RETURN_IF_ERROR(CheckScope(parts, scope, claim));
  PJ_RETURN_IF_ERROR(CheckSignedHeaders(request, claim));
  const std::int64_t now_ms = clock_.NowMs();
  PJ_RETURN_IF_ERROR(CheckTime(claim, *sent, now_ms / 1000));
  PJ_ASSIGN_OR_RETURN(const auto secret, find_secret(parts.key_id, claim.session_token, now_ms));
  if (secret == nullptr) {
    return UnknownKeyError();
  }

  // The memory is kept for the next request: its head, which the server bounds, is all that goes into it.
  thread_local std::string canonical;
  thread_local std::string to_sign;
  WriteCanonicalRequest(request, claim, canonical);
  to_sign.clear();
  to_sign.append(claim.algorithm) += '\n';
  to_sign.append(claim.date_time) += '\n';
  to_sign.append(claim.credential.substr(parts.key_id.size() + 1)) += '\n';
  AppendHex(BytesOf(Sha256OfSimilar(canonical)), to_sign);
  return IsSignedBy(*secret, claim, parts, to_sign) ? Status() : Status(WrongSignature());
}

}  // namespace prejoin::auth
