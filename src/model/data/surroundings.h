// The part of a dataset that one write can touch.
#ifndef PREJOIN_MODEL_DATA_SURROUNDINGS_H_
#define PREJOIN_MODEL_DATA_SURROUNDINGS_H_

#include <string>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The first and the last row of `entity`, and every row that is needed to render the items that a
// change of them touches exactly as with all data: what points at them, the items that hold them in
// a list or map with all that those hold, and the rows that copies come from. Rows keep their
// order.
Dataset Surroundings(const Model& model, const std::string& entity, const Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_SURROUNDINGS_H_
