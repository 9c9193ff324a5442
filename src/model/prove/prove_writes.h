// Runs the writes of a model on a database and the predictor, and reads back what they wrote.
#ifndef PREJOIN_MODEL_PROVE_PROVE_WRITES_H_
#define PREJOIN_MODEL_PROVE_PROVE_WRITES_H_

#include <string>
#include <vector>

#include "model/prove/predictor.h"
#include "model/prove/prove.h"

namespace prejoin::model {

// `data` is what both hold; it is kept in step with what is written.
Result<WriteProof> ProveWrite(const Model& model, const Write& write, Dataset& data,
                              Backend& backend, Predictor& predictor, bool compare_units);

// The changed items of a step, as writes. Used by cost as well.
struct WriteEffect {
  std::vector<ItemWrite> writes;
  Dataset after;
  bool possible = false;  // False when the data has no row to work on.
};
// Both give the same writes; with much data only what is near the row is worth rendering.
enum class WriteScope { kAll, kNear };
WriteEffect EffectOfStep(const Model& model, const WriteStep& step, const Dataset& data,
                         WriteScope scope);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROVE_WRITES_H_
