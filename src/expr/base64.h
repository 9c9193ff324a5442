// Base64, for binary values in messages.
#ifndef PREJOIN_EXPR_BASE64_H_
#define PREJOIN_EXPR_BASE64_H_

#include <string>
#include <string_view>

namespace prejoin::expr {

std::string EncodeBase64(std::string_view bytes);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_BASE64_H_
