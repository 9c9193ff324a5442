// Rows that the writes of a model can work on, among generated ones.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_WORKABLE_ROWS_H_
#define PREJOIN_MODEL_PROVE_TRIAL_WORKABLE_ROWS_H_

#include <set>
#include <string>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// For each write that no row allows, and each pattern that finds none, changes generated rows until one does: 24 rows rarely hold a
// status that one of a hundred has, or two accounts of one tenant. `generated` names the entities whose rows are nobody's sample;
// rows of others stay as they are.
void AddWorkableRows(const Model& model, const std::set<std::string>& generated, Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_WORKABLE_ROWS_H_
