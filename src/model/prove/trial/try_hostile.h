// Runs the patterns on hostile rows (model/generate/hostile_rows.h) and compares with the relational answer.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_TRY_HOSTILE_H_
#define PREJOIN_MODEL_PROVE_TRIAL_TRY_HOSTILE_H_

#include <functional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/plan/plan.h"
#include "model/prove/proof.h"
#include "prejoin/result.h"

namespace prejoin::model {

// Key attributes that hold text in one item and a number in another, in words: no table can have them.
std::vector<std::string> MixedKeyTypes(const Model& model);

// `plans` has one for each pattern. Adds what is wrong to the patterns of the report, which has one entry for each pattern of the model.
Status TryHostile(const Model& model, const std::vector<Plan>& plans, const Dataset& data,
                  const std::function<bool()>& give_up, ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_TRY_HOSTILE_H_
