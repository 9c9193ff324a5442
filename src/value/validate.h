// Bytes that may not be what they should, before views (value/encoding.h) trust them.
#ifndef PREJOIN_VALUE_VALIDATE_H_
#define PREJOIN_VALUE_VALIDATE_H_

#include <string_view>

namespace prejoin {

// Returns true if `body` is exactly one well-formed item body, as ValidateItemBody has it.
bool IsItemBody(std::string_view body);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_VALIDATE_H_
