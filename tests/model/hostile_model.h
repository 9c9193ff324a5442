// Random models with everything that the language has, and with names that generated code, key templates and reports could trip over.
#ifndef PREJOIN_TESTS_MODEL_HOSTILE_MODEL_H_
#define PREJOIN_TESTS_MODEL_HOSTILE_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

namespace prejoin::model {

// A part of RandomModel, with constructs that it does not use, and most names replaced, each wherever it stands. Most of these models
// read; a few do not, because a name means something else where it came to stand. The same seed gives the same text.
std::string HostileModel(std::uint64_t seed);

// Keywords of the languages that code is generated in, names of what generated code declares itself, names that differ in case or in
// a hyphen only, one letter, letters outside ASCII, DynamoDB's own names, and words of the model language.
const std::vector<std::string>& HostileNames();

}  // namespace prejoin::model

#endif  // PREJOIN_TESTS_MODEL_HOSTILE_MODEL_H_
