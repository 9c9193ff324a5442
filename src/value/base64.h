// Base64 with the standard alphabet and padding: how binary values are written in requests, answers
// and messages.
#ifndef PREJOIN_VALUE_BASE64_H_
#define PREJOIN_VALUE_BASE64_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin {

void AppendBase64(std::string_view bytes, std::string& out);

// kSerialization with DynamoDB's text for anything but complete, canonical base64.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_BASE64_H_
