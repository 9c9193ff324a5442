// Tries each write of a model on fresh rows: once, twice, with other values in a row that exists, stopped halfway, and
// beside another writer. Whatever the model does not say that somebody keeps right goes stale here, and is reported.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_TRY_WRITES_H_
#define PREJOIN_MODEL_PROVE_TRIAL_TRY_WRITES_H_

#include <functional>
#include <vector>

#include "model/data/dataset.h"
#include "model/plan/plan.h"
#include "model/prove/proof.h"
#include "prejoin/result.h"

namespace prejoin::model {

// `plans` has one for each pattern. Adds what is wrong to the writes of the report, which has one entry for each write of the model.
// `give_up` may be empty; it is asked between two writes, and true ends with kUnavailable.
Status TryWrites(const Model& model, const std::vector<Plan>& plans, const Dataset& data,
                 const std::function<bool()>& give_up, ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_TRY_WRITES_H_
