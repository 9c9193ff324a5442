// The demands that the ComparisonOperators of the legacy parameters make on their arguments.
#ifndef PREJOIN_EXPR_LEGACY_ARGUMENTS_H_
#define PREJOIN_EXPR_LEGACY_ARGUMENTS_H_

#include <string_view>
#include <vector>

#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::expr {

// DynamoDB's name: "EQ", "NOT_CONTAINS".
std::string_view Name(LegacyOperator comparison);

// Their number, that they have one type, that the operator is made for it, and the order of
// BETWEEN's bounds.
Status CheckArguments(LegacyOperator comparison, const std::vector<AttributeValue>& values);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_LEGACY_ARGUMENTS_H_
