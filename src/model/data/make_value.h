// Values of attributes by number: the same number gives the same value, different numbers give different ones, and
// each has the stated average size.
#ifndef PREJOIN_MODEL_DATA_MAKE_VALUE_H_
#define PREJOIN_MODEL_DATA_MAKE_VALUE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/item.h"

namespace prejoin::model {

// The `number`th value of an attribute. A list of values repeats; so do booleans, and numbers after their last digit.
// `row` varies what is free inside a map or list.
AttributeValue MakeValue(const Attribute& attribute, std::uint64_t number, std::uint64_t row);

// Generated months have 28 days, and years 12 months.
inline constexpr double kDaysOfGeneratedMonth = 28;
inline constexpr double kDaysOfGeneratedYear = 336;

// The number of a beginning, and the number of a value with that beginning.
struct BeginningNumber {
  std::uint64_t beginning = 0;
  std::uint64_t rest = 0;
  // Shorter beginnings, the shortest first: how many characters each has, and how many of them there are. Of moments: days, for hours.
  std::vector<std::pair<std::size_t, std::uint64_t>> shorter = {};
};

// A text or moment whose beginning, as much as `derived` takes of it, depends on the first number only.
AttributeValue MakeBeginning(const Attribute& attribute, const Attribute& derived,
                             const BeginningNumber& number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_MAKE_VALUE_H_
