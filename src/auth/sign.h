// Signature Version 4 for requests that we send.
#ifndef PREJOIN_AUTH_SIGN_H_
#define PREJOIN_AUTH_SIGN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::auth {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // Empty: none.
};

struct SigningScope {
  std::string region;
  std::string service;
  std::int64_t seconds = 0;  // Since 1970, UTC: AWS refuses what is more than minutes away.
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// A request to the path "/" without a query, which is all that DynamoDB has.
struct UnsignedRequest {
  std::string_view method;
  Headers headers;  // All of these are signed; "Host" must be among them.
  std::string_view body;
};

// The headers to add to the request: X-Amz-Date, Authorization, and X-Amz-Security-Token if there
// is a session token.
Headers Sign(const UnsignedRequest& request, const Credentials& credentials,
             const SigningScope& scope);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_SIGN_H_
