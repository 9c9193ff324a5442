// The part of a dataset that one write can touch.
#ifndef PREJOIN_MODEL_DATA_SURROUNDINGS_H_
#define PREJOIN_MODEL_DATA_SURROUNDINGS_H_

#include <map>
#include <set>
#include <string>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Numbers of rows, by entity.
using TouchedRows = std::map<std::string, std::set<std::size_t>, std::less<>>;

// The touched rows, and every row that is needed to render the items that a change of them touches exactly as with all
// data: what points at them, the items that hold them in a list or map with all that those hold, the rows that sums and
// counts are made of, and the rows that copies come from.
TouchedRows Near(const Model& model, const TouchedRows& touched, const Dataset& data);

TouchedRows AllRows(const Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_SURROUNDINGS_H_
