// The parameters from before expressions (Expected, QueryFilter, ScanFilter, AttributeUpdates,
// AttributesToGet) as expression trees.
#ifndef PREJOIN_EXPR_LEGACY_H_
#define PREJOIN_EXPR_LEGACY_H_

#include <optional>

#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::expr {

// Nullopt for an empty map: no condition.
Result<std::optional<Condition>> FromExpected(
    const ExpectedAttributes& expected, std::optional<ConditionalOperator> conditional_operator);
Result<std::optional<Condition>> FromFilter(
    const LegacyConditions& conditions, std::optional<ConditionalOperator> conditional_operator);
Result<Update> FromAttributeUpdates(const AttributeUpdates& updates);
Result<Projection> FromAttributesToGet(const std::vector<std::string>& names);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_LEGACY_H_
