// Runs the writes of a model on a database and the predictor, reads back what they wrote, and tries what must be
// refused.
#ifndef PREJOIN_MODEL_PROVE_PROVE_WRITES_H_
#define PREJOIN_MODEL_PROVE_PROVE_WRITES_H_

#include <string>
#include <vector>

#include "model/prove/predictor.h"
#include "model/prove/proof.h"
#include "model/prove/write_effect.h"

namespace prejoin::model {

// `data` is the content of both; it follows each write.
Result<WriteProof> ProveWrite(const Model& model, const Write& write, Dataset& data,
                              Backend& backend, Predictor& predictor, bool compare_units);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROVE_WRITES_H_
