// Who sends a request. For now any credentials will do, but there must be some, as AWS has it;
// verification of the signature will replace what stands behind Authenticate, not its callers.
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
  const std::string_view
      type;  // "MissingAuthenticationTokenException". Lives as long as the program.
};

Result<Caller> Authenticate(const SignedRequest& request);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_AUTHENTICATE_H_
