// Bounds of a range that keeps a wanted number of values.
#ifndef PREJOIN_MODEL_GENERATE_LAY_RANGE_H_
#define PREJOIN_MODEL_GENERATE_LAY_RANGE_H_

#include <random>
#include <vector>

#include "model/data/evaluate.h"

namespace prejoin::model {

// Sets the open parameters of the condition so that it keeps `wanted` of the sorted values on average: equal values are in a range
// together, so each time it keeps a number around that.
void LayRange(const Condition& condition, const std::vector<const AttributeValue*>& values,
              double wanted, std::mt19937_64& random, Arguments& arguments);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_LAY_RANGE_H_
