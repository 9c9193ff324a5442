// The operations of the DynamoDB API, numbered for the metrics.
#ifndef PREJOIN_SERVER_OPERATION_NAMES_H_
#define PREJOIN_SERVER_OPERATION_NAMES_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace prejoin::server {

inline constexpr std::uint32_t kNoOperation = 0;  // Health checks, broken requests and the like.

// Position 0 is "none"; the others are in alphabetical order.
std::span<const std::string_view> OperationNames();

// The number of the operation that an X-Amz-Target names ("DynamoDB_20120810.GetItem");
// kNoOperation if it names none.
std::uint32_t OperationOfTarget(std::string_view target);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_OPERATION_NAMES_H_
