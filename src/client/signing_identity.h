// With which credentials and for which region requests to an endpoint are signed.
#ifndef PREJOIN_CLIENT_SIGNING_IDENTITY_H_
#define PREJOIN_CLIENT_SIGNING_IDENTITY_H_

#include <string>

#include "auth/sign.h"
#include "prejoin/result.h"

namespace prejoin::client {

inline constexpr const char* kRegionHelp =
    "Region for the signature. Default: AWS_REGION, AWS_DEFAULT_REGION, or the region in the "
    "endpoint's name";

struct SigningIdentity {
  auth::Credentials credentials;
  std::string region;
};

// Credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. Without
// them only AWS itself is refused: local endpoints take any, and get made-up ones. `region` goes
// before the environment, the environment before the name of the host.
Result<SigningIdentity> FindSigningIdentity(const std::string& host, const std::string& region);

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_SIGNING_IDENTITY_H_
