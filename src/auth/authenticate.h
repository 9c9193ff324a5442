// The sender of a request. Any credentials will do for now, but there must be some, as on AWS;
// verification of the signature will replace the body of Authenticate, not its callers.
#ifndef PREJOIN_AUTH_AUTHENTICATE_H_
#define PREJOIN_AUTH_AUTHENTICATE_H_

#include <string_view>

#include "base/function_ref.h"
#include "prejoin/result.h"

namespace prejoin::auth {

// A request as its signature sees it. Borrows everything for one call.
struct SignedRequest {
  std::string_view method;
  std::string_view path;
  std::string_view query;                                       // Without the question mark.
  FunctionRef<std::string_view(std::string_view name)> header;  // Empty if there is no such header.
  std::string_view body;
};

struct Caller {
  std::string_view access_key_id;  // Borrowed from the request.
};

// Says which of DynamoDB's exceptions an authentication error is; every error of Authenticate has
// one.
struct AuthenticationFailure : ErrorDetail {
  explicit AuthenticationFailure(std::string_view type_name) : type(type_name) {}
  // "MissingAuthenticationTokenException". Lives as long as the program.
  const std::string_view type;
};

Result<Caller> Authenticate(const SignedRequest& request);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_AUTHENTICATE_H_
