// What a request says about its sender, checked for form only. verify.h then proves it.
#ifndef PREJOIN_AUTH_AUTHENTICATE_H_
#define PREJOIN_AUTH_AUTHENTICATE_H_

#include <cstdint>
#include <optional>
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

struct Caller {
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
Result<Caller> Authenticate(const SignedRequest& request);

// All that a request says about its sender and signature. Borrows from the request what it does not have to decode.
struct Claim {
  bool in_query = false;
  std::string_view algorithm;
  std::string credential;  // AKID/20150830/us-east-1/dynamodb/aws4_request
  std::string signed_headers;
  std::string_view signature;
  std::string date_time;
  std::string session_token;
  std::optional<std::string> expires_seconds;  // Of a presigned request.
  std::string region_set;                      // Of an asymmetric signature: "us-east-1,eu-*".
};

Result<Claim> ReadClaim(const SignedRequest& request);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_AUTHENTICATE_H_
