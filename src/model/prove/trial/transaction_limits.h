// Finds transactions that DynamoDB would refuse for their size, from the figures of the model.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_TRANSACTION_LIMITS_H_
#define PREJOIN_MODEL_PROVE_TRIAL_TRANSACTION_LIMITS_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// In words; empty: the write stays within 100 items and 4 MB however large its relationships grow.
std::vector<std::string> TransactionFaults(const Model& model, const Write& write);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_TRANSACTION_LIMITS_H_
