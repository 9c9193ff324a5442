// The largest figures of a model file. A file's figures drive generation, pricing and search, so a figure that no table can have is
// refused where it is read.
#ifndef PREJOIN_MODEL_SCHEMA_FIGURE_LIMITS_H_
#define PREJOIN_MODEL_SCHEMA_FIGURE_LIMITS_H_

#include "base/limits.h"

namespace prejoin::model {

// Rows, rates, bounds and everything else that is counted: a trillion.
inline constexpr double kFigureMax = 1e12;
// Bytes of an attribute, which is part of an item.
inline constexpr double kAttributeBytesMax = kItemBytesMax;
// Digits of a number.
inline constexpr double kDigitsMax = kNumberDigitsMax;

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_FIGURE_LIMITS_H_
