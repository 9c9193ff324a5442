// Verification of signatures: Version 4 and its asymmetric form, in the header or in the query.
#ifndef PREJOIN_AUTH_VERIFY_H_
#define PREJOIN_AUTH_VERIFY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "auth/authenticate.h"
#include "auth/digest.h"
#include "auth/elliptic.h"
#include "base/function_ref.h"
#include "base/mutex.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"

namespace prejoin::auth {

// Requests older than this, or as much ahead, are refused. AWS's own bound.
inline constexpr std::int64_t kSkewSeconds = 300;
inline constexpr std::int64_t kPresignedSecondsMax = 7 * 24 * 3600;
// Signing keys that are kept; one for each access key, day, region and service.
inline constexpr std::size_t kSigningKeysMax = 10'000;

// Gives the secret of an access key, or null if there is none that may be used. `session_token` is empty for keys that need none. An error is
// passed on as it is.
using FindSecret = FunctionRef<Result<std::shared_ptr<const std::string>>(
    std::string_view access_key_id, std::string_view session_token, std::int64_t now_ms)>;

// The scope that a request must be signed for. An empty region stands for any.
struct Scope {
  std::string_view region;
  std::string_view service;
};

// The parts of a credential. Borrow from it.
struct CredentialParts {
  std::string_view key_id, date, region, service, terminator;
};

// AWS's errors for failed checks.
Error UnknownKeyError();
Error ExpiredTokenError();

// Thread-safe.
class Verifier {
 public:
  // `clock` outlives this object.
  explicit Verifier(const Clock& clock) : clock_(clock) {}

  // True if the secret of the access key that the request names signed all of it: method, path, query, the headers that it lists, and the
  // body as sent. The errors are AWS's, in its order: form, scope, time, key, signature.
  Status Verify(const SignedRequest& request, const Scope& scope, FindSecret find_secret)
      PJ_EXCLUDES(mutex_);

 private:
  // Finds a text without making a string of it first.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct KeptKey {
    std::string secret;
    HmacKey key;
  };
  // `to_sign` lacks nothing but the signature.
  bool IsSignedBy(const std::string& secret, const Claim& claim, const CredentialParts& parts,
                  std::string_view to_sign) PJ_EXCLUDES(mutex_);
  std::shared_ptr<const EllipticKey> EllipticKeyFor(std::string_view secret,
                                                    std::string_view access_key_id)
      PJ_EXCLUDES(mutex_);
  HmacKey KeyFor(const std::string& secret, const CredentialParts& parts) PJ_EXCLUDES(mutex_);

  const Clock& clock_;

  Mutex mutex_;
  // By "AKID/date/region/service". A secret that changed makes its entry useless, so it is compared.
  std::unordered_map<std::string, KeptKey, TextHash, std::equal_to<>> keys_ PJ_GUARDED_BY(mutex_);
  // By access key and secret: deriving one takes as long as verifying.
  std::map<std::string, std::shared_ptr<const EllipticKey>> elliptic_keys_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_VERIFY_H_
