// The rows that one step of a write changes, and the items that follow from them.
#ifndef PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_
#define PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_

#include <optional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/backend.h"
#include "model/prove/trial/row_changes.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct WriteEffect {
  std::vector<RowChange> rows;
  std::vector<ItemWrite> writes;
  Dataset after;           // The rows that were rendered, as they are afterwards.
  std::string impossible;  // Why it cannot be run on this data; empty if it can.
  std::string replaced;    // The put would replace another row: says which.
};

// All items are rendered, or only those near the changed rows; both give the same writes.
enum class WriteScope { kAll, kNear };

WriteEffect EffectOfStep(const Model& model, const BoundStep& bound, const Dataset& data,
                         WriteScope scope);

// The items that follow from given changes of rows, those of sums and counts included, which are added to `rows`.
WriteEffect EffectOfRows(const Model& model, const WriteStep& step, std::vector<RowChange> rows,
                         const Dataset& data, WriteScope scope);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_
