// Base64 with the standard alphabet and padding, the form in which DynamoDB sends binary values.
#ifndef PREJOIN_WIRE_BASE64_H_
#define PREJOIN_WIRE_BASE64_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::wire {

void AppendBase64(std::string_view bytes, std::string& out);

// kSerialization with DynamoDB's text for anything but complete, canonical base64.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_BASE64_H_
