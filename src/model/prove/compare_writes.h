// The measured side of writes: each is run on rows all over the data, as the model says that it is sent.
#ifndef PREJOIN_MODEL_PROVE_COMPARE_WRITES_H_
#define PREJOIN_MODEL_PROVE_COMPARE_WRITES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/backend.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Units of some executions of a write, one after the other.
struct MeasuredWrite {
  std::vector<double> predicted;
  std::vector<double> measured;
  std::size_t different = 0;  // Runs that met other rows.
};

// Runs the write `runs` times, each time from the same rows. `predictor` and `backend` hold the items of `data`, and hold
// them again at the end. Nothing when the data has no rows for it.
Result<MeasuredWrite> MeasureWrite(const Model& model, const Write& write, Dataset& data,
                                   Backend& predictor, Backend& backend, std::size_t runs);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_COMPARE_WRITES_H_
