// The bytes that UpdateItem charges an update expression against the limit of an item.
#ifndef PREJOIN_EXPR_UPDATE_CHARGE_H_
#define PREJOIN_EXPR_UPDATE_CHARGE_H_

#include <cstddef>

#include "expr/ast.h"

namespace prejoin::expr {

// Attributes that the item holds already, and its key, are free. A value counts at each of its uses.
std::size_t ChargedBytes(const Update& update);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_UPDATE_CHARGE_H_
