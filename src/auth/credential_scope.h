// The scope of a request, from its credential: AKID/20150830/us-east-1/dynamodb/aws4_request.
#ifndef PREJOIN_AUTH_CREDENTIAL_SCOPE_H_
#define PREJOIN_AUTH_CREDENTIAL_SCOPE_H_

#include <optional>
#include <string>
#include <string_view>

#include "auth/authenticate.h"

namespace prejoin::auth {

struct CredentialScope {
  std::string access_key_id;
  std::string region;
};

// Nullopt if the request has no credential of that form.
std::optional<CredentialScope> ScopeOf(const SignedRequest& request);

// The account that AWS has written into an access key of its own: twenty characters that begin with
// AKIA or ASIA. Nullopt for all others.
std::optional<std::string> AccountOf(std::string_view access_key_id);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_CREDENTIAL_SCOPE_H_
