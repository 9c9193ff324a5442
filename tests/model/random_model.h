// Random models that are right by construction, for tests: random entities, relationships, layouts
// and patterns.
#ifndef PREJOIN_TESTS_MODEL_RANDOM_MODEL_H_
#define PREJOIN_TESTS_MODEL_RANDOM_MODEL_H_

#include <cstdint>
#include <string>

namespace prejoin::model {

// The text of a model file. The same seed gives the same text.
std::string RandomModel(std::uint64_t seed);

// A model of many entities and patterns, for measuring.
std::string LargeModel(int entities, int patterns);

}  // namespace prejoin::model

#endif  // PREJOIN_TESTS_MODEL_RANDOM_MODEL_H_
