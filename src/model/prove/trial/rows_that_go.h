// Finds what remains when a row is deleted: rows that pointed at it, and items that time to live does not delete.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_ROWS_THAT_GO_H_
#define PREJOIN_MODEL_PROVE_TRIAL_ROWS_THAT_GO_H_

#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/proof.h"

namespace prejoin::model {

// Deletes of rows that others point at, in words: those stay, patterns read them, and a new row with the same key inherits them.
std::vector<std::string> RowsLeftBehind(const Model& model, const Write& write);

// Conditions on totals that are kept later, in words: two writers at once both find what they need.
std::vector<std::string> GuardsThatLag(const Model& model, const Write& write);

// A row of each entity with time to live expires: DynamoDB deletes the items that hold the time, one by one, and
// nothing else. Problems found then count against the write that puts such rows.
void TryExpiry(const Model& model, const Dataset& data, ProofReport& report);

// Totals that an answer must show up to date and that are kept later, in words.
std::vector<std::string> TotalsThatLag(const Model& model, const Pattern& pattern);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_ROWS_THAT_GO_H_
