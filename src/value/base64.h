// Base64 with the standard alphabet and padding: how binary values are written in answers and
// messages. Reading it is part of the request format: json/base64.h.
#ifndef PREJOIN_VALUE_BASE64_H_
#define PREJOIN_VALUE_BASE64_H_

#include <string>
#include <string_view>

namespace prejoin {

inline constexpr std::string_view kBase64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void AppendBase64(std::string_view bytes, std::string& out);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_BASE64_H_
