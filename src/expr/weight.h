// The weight of an expression per byte of an item.
#ifndef PREJOIN_EXPR_WEIGHT_H_
#define PREJOIN_EXPR_WEIGHT_H_

#include <cstddef>

#include "expr/ast.h"

namespace prejoin::expr {

// The number of operands: each of them may look at every byte of an item once, since comparing and
// searching are linear.
std::size_t Weight(const Condition& condition);
std::size_t Weight(const Update& update);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_WEIGHT_H_
