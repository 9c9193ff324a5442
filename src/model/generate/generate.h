// Rows made up from the declared counts, sizes and relationships: the same seed always gives the
// same rows.
#ifndef PREJOIN_MODEL_GENERATE_GENERATE_H_
#define PREJOIN_MODEL_GENERATE_GENERATE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "model/data/dataset.h"

namespace prejoin::model {

struct GenerateOptions {
  double rows = 1000;  // About this many in all; entities keep their proportions.
  bool even = false;   // The same number of each entity instead.
  // Every share is as the file states it, however small. Otherwise every case occurs in a few hundred rows: optional
  // attributes are there and not there, and values that patterns name are frequent.
  bool as_stated = false;
  std::uint64_t seed = 1;
  // Rows that exist already; entities that have some get no more.
  Dataset start;
  std::function<void(const std::string& entity, std::size_t rows)> progress;
};

// Every reference points at a row that exists, keys are unique, rows spread over their parents and values evenly or by
// the declared skew, and values have their average size.
Dataset GenerateData(const Model& model, const GenerateOptions& options);

// About how many bytes those rows and their items and index entries take together.
double ExpectedGeneratedBytes(const Model& model, double rows);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_GENERATE_H_
