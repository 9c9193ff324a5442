// Values of attributes by number: the same number gives the same value, different numbers give different ones, and
// each has the stated average size.
#ifndef PREJOIN_MODEL_DATA_MAKE_VALUE_H_
#define PREJOIN_MODEL_DATA_MAKE_VALUE_H_

#include <cstdint>

#include "model/schema/model.h"
#include "prejoin/item.h"

namespace prejoin::model {

// The `number`th value of an attribute. A list of values repeats; so do booleans, and numbers after their last digit.
// `row` varies what is free inside a map or list.
AttributeValue MakeValue(const Attribute& attribute, std::uint64_t number, std::uint64_t row);

// The number of a beginning, and the number of a value with that beginning.
struct BeginningNumber {
  std::uint64_t beginning = 0;
  std::uint64_t rest = 0;
};

// A text or moment whose beginning, as much as `derived` takes of it, depends on the first number only.
AttributeValue MakeBeginning(const Attribute& attribute, const Attribute& derived,
                             const BeginningNumber& number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_MAKE_VALUE_H_
