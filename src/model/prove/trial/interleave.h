// Two writers at the same time: every pair of writes that may meet, and each write with itself, in all orders of their
// requests.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_INTERLEAVE_H_
#define PREJOIN_MODEL_PROVE_TRIAL_INTERLEAVE_H_

#include <cstddef>
#include <functional>

#include "model/data/dataset.h"
#include "model/prove/proof.h"
#include "prejoin/result.h"

namespace prejoin::model {

// Schedules of one pair that are tried at most; two writes of four requests have as many.
inline constexpr std::size_t kSchedulesMax = 70;

// Adds what goes wrong to the first write of each pair, as a schedule. Writes that are wrong alone are left out.
Status TryInterleavings(const Model& model, const Dataset& data,
                        const std::function<bool()>& give_up, ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_INTERLEAVE_H_
