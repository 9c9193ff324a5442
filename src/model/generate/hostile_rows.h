// Rows that break designs: values at the edges of what the model allows, and rows that share what is easily taken for
// unique.
#ifndef PREJOIN_MODEL_GENERATE_HOSTILE_ROWS_H_
#define PREJOIN_MODEL_GENERATE_HOSTILE_ROWS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct HostileRows {
  Dataset data;                       // The given rows and the hostile ones.
  std::size_t added = 0;
  std::size_t refused = 0;            // Rows that a key refuses, as generated code does; not among `data`.
  std::vector<std::string> problems;  // Values that the model allows and that cannot be stored.
};

HostileRows AddHostileRows(const Model& model, const Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_HOSTILE_ROWS_H_
