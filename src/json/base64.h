// Base64, the form in which DynamoDB sends binary values, read with DynamoDB's refusals.
#ifndef PREJOIN_JSON_BASE64_H_
#define PREJOIN_JSON_BASE64_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"
#include "value/base64.h"

namespace prejoin::json {

using prejoin::AppendBase64;

// kSerialization with DynamoDB's text for anything but complete, canonical base64.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_BASE64_H_
