// The rows that the steps of a write work on: what a caller would pass as its parameters.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_WRITE_BINDING_H_
#define PREJOIN_MODEL_PROVE_TRIAL_WRITE_BINDING_H_

#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/trial/fresh_row.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct BoundStep {
  const WriteStep* step = nullptr;
  std::vector<Row> rows;  // For a put: the rows. For an update or delete: the row as it was found.
  Row values;             // The assignments of an update, without increments.
  std::vector<Condition> guard;  // With the parameters' values.
};

struct BoundWrite {
  const Write* write = nullptr;
  std::vector<BoundStep> steps;
  std::string impossible;  // Why the data has no rows for it; empty if it has.
};

struct BindOptions {
  int variant = 0;         // Another caller: the same rows, other values.
  bool put_again = false;  // A put without `once` replaces a row that exists.
  const BoundWrite* beside = nullptr;  // New rows are not those that this one puts.
};

// One parameter is one value: steps that name a row by the same parameters work on the same row, all others on different
// ones. Rows belong together where the model relates them: a put points at the rows that the other steps name or put, and
// an update of a parent takes the parent of the row that is deleted.
BoundWrite BindWrite(const Model& model, const Write& write, const Dataset& data,
                     const BindOptions& options = {});

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_WRITE_BINDING_H_
