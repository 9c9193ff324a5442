// The condition keys that AWS documents for the services of this server. A key that is not among them could be one that limits: it never
// helps a request (docs/security.md).
#ifndef PREJOIN_ACCESS_CONDITION_KEYS_H_
#define PREJOIN_ACCESS_CONDITION_KEYS_H_

#include <span>
#include <string>
#include <string_view>

namespace prejoin::access {

// Returns whether the name is that of a global key, or of one of dynamodb, iam or sts, in any case of letters. Documented keys that no request to
// this server can have, such as aws:SourceVpc, are absent from requests, as they are on AWS.
bool IsDocumentedKey(std::string_view name);

// Returns true if a policy that has the key may be stored: it is documented, or belongs to a service or identity provider that is not here.
bool IsStorableKey(std::string_view name);

// Returns true if every ${variable} of the texts is a key of that kind.
bool HaveOnly(std::span<const std::string> texts, bool (*is_kind)(std::string_view name));

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_CONDITION_KEYS_H_
