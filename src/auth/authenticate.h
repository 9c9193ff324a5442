// The sender as a request names it, checked for form only. verify.h then proves it.
#ifndef PREJOIN_AUTH_AUTHENTICATE_H_
#define PREJOIN_AUTH_AUTHENTICATE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "auth/header_field.h"
#include "prejoin/result.h"

namespace prejoin::auth {

// A request as its signature sees it. Borrows everything for one call.
struct SignedRequest {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // Without the question mark.
  std::span<const HeaderField> headers;
  std::string_view body;  // As sent: compressed, if it was.

  // The first header of that name, which is in small letters; empty if there is none.
  std::string_view Header(std::string_view name) const;
};

struct Sender {
  std::string_view access_key_id;  // Borrowed from the request.
};

// Says which of DynamoDB's exceptions an authentication error is; every error of Authenticate and
// Verify has one.
struct AuthenticationFailure : ErrorDetail {
  explicit AuthenticationFailure(std::string_view type_name) : type(type_name) {}
  // "MissingAuthenticationTokenException". Lives as long as the program.
  const std::string_view type;
};

Error AuthenticationError(std::string_view type, std::string message);

// Any credentials will do, but there must be some, as on AWS.
Result<Sender> Authenticate(const SignedRequest& request);

inline constexpr std::string_view kHmacAlgorithm = "AWS4-HMAC-SHA256";

// All that a request says about its sender and signature. Borrows from the request, or from `decoded`.
struct Claim {
  bool in_query = false;
  std::string_view algorithm;
  std::string_view credential;  // AKID/20150830/us-east-1/dynamodb/aws4_request
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view date_time;
  std::string_view session_token;
  std::string_view expires_seconds;  // For a presigned request.
  std::string_view region_set;       // For an asymmetric signature: "us-east-1,eu-*".
  // The values of a query, where they had to be decoded. A deque does not move what it holds.
  std::unique_ptr<std::deque<std::string>> decoded;
};

Result<Claim> ReadClaim(const SignedRequest& request);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_AUTHENTICATE_H_
