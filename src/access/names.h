// The names that AWS allows for users, roles, policies and access keys.
#ifndef PREJOIN_ACCESS_NAMES_H_
#define PREJOIN_ACCESS_NAMES_H_

#include <cstddef>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::access {

struct NameLength {
  std::size_t min = 1;
  std::size_t max = 64;
};

inline constexpr NameLength kNewNameLength = {1, 64};
// IAM looks for users under longer names than it gives to new ones.
inline constexpr NameLength kUserNameLength = {1, 128};
inline constexpr NameLength kPolicyNameLength = {1, 128};
// AWS's keys have 16 characters and more; imported ones may have fewer.
inline constexpr NameLength kAccessKeyIdLength = {1, 128};

// Returns kValidation, in IAM's words, unless `text` has that length and only characters of [\w+=,.@-]. `member` is the name that IAM's
// messages use: "userName".
Status CheckName(std::string_view member, std::string_view text, NameLength length);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_NAMES_H_
