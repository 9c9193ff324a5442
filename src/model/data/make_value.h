// Values of attributes by number: the same number gives the same value, different numbers give different ones, and
// each has the stated average size.
#ifndef PREJOIN_MODEL_DATA_MAKE_VALUE_H_
#define PREJOIN_MODEL_DATA_MAKE_VALUE_H_

#include <cstdint>

#include "model/schema/model.h"
#include "prejoin/item.h"

namespace prejoin::model {

// The `number`th value of an attribute. A list of values repeats; so do booleans, and numbers behind their last digit.
// `row` varies what is free inside a map or list.
AttributeValue MakeValue(const Attribute& attribute, std::uint64_t number, std::uint64_t row);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_MAKE_VALUE_H_
