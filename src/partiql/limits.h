// Limits of statements. AWS's own unless the comment says otherwise.
#ifndef PREJOIN_PARTIQL_LIMITS_H_
#define PREJOIN_PARTIQL_LIMITS_H_

#include <cstddef>

namespace prejoin::partiql {

inline constexpr std::size_t kStatementBytesMax = 8192;
inline constexpr std::size_t kBatchStatementsMax = 25;
inline constexpr std::size_t kPartitionsMax = 50;  // Partition key values in one SELECT.
inline constexpr int kConditionDepthMax = 100;     // Ours: it bounds the recursion.

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_LIMITS_H_
