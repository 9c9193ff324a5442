// Rows made up from the declared counts, sizes and relationships: the same seed always gives the
// same rows.
#ifndef PREJOIN_MODEL_DATA_GENERATE_H_
#define PREJOIN_MODEL_DATA_GENERATE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "model/data/dataset.h"

namespace prejoin::model {

struct GenerateOptions {
  double rows = 1000;  // About this many in all; entities keep their proportions.
  bool even = false;   // The same number of each entity instead.
  std::uint64_t seed = 1;
  // Rows that are there already; entities that have some get no more.
  Dataset start;
  std::function<void(const std::string& entity, std::size_t rows)> progress;
};

// Every reference points at a row that exists, keys are unique, and rows spread over their parents
// evenly or by the declared skew.
Dataset GenerateData(const Model& model, const GenerateOptions& options);

// About how many bytes those rows and their items and index entries take together.
double ExpectedGeneratedBytes(const Model& model, double rows);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_GENERATE_H_
