// Arguments of a pattern as the file says that requests come: over parents and values evenly, or as often as rows by a
// stated skew, with ranges that keep the share of rows that the estimate expects.
#ifndef PREJOIN_MODEL_GENERATE_STATED_ARGUMENTS_H_
#define PREJOIN_MODEL_GENERATE_STATED_ARGUMENTS_H_

#include <cstdint>
#include <vector>

#include "model/data/evaluate.h"
#include "model/plan/expectation.h"

namespace prejoin::model {

// `count` of them, in the order of the first key's ranks, so that neighbours are alike: what is measured in this order
// has a small sampling error. The same seed gives the same arguments. `figures` are of the model that the data was
// generated from.
std::vector<Arguments> StatedArguments(Expectations& figures, const Pattern& pattern,
                                       DataIndex& data, std::size_t count, std::uint64_t seed);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_STATED_ARGUMENTS_H_
