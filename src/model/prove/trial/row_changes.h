// The effect of a step of a write on the rows of a relational database.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_ROW_CHANGES_H_
#define PREJOIN_MODEL_PROVE_TRIAL_ROW_CHANGES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/trial/write_binding.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct RowChange {
  std::string entity;
  std::optional<std::size_t> number;  // The number of the row in the data; nullopt: a new row.
  std::optional<Row> row;             // The row afterwards; nullopt: gone.
};

struct StepRows {
  bool refused = false;  // Skipped by `once`, by the condition, or because the row is missing.
  std::vector<RowChange> changes;
};

// The step on the data as it is now. A put inserts or replaces, a deletion of what is gone changes nothing. Totals are
// left to DeriveAggregates.
StepRows RowsOfStep(const Model& model, const BoundStep& bound, const Dataset& data);

// The number of the row with these values of the entity's key.
std::optional<std::size_t> FindRow(const Entity& entity, const Row& key, const Dataset& data);

// Takes changes of rows back, the last ones first.
struct RowUndo {
  std::map<std::string, std::map<std::size_t, Row>>
      updated;  // The previous rows, by entity and number.
  std::map<std::string, std::map<std::size_t, Row>> gone;
  std::map<std::string, std::size_t> added;  // The number of added rows, which are the last ones.
};
RowUndo ApplyChanges(const std::vector<RowChange>& changes, Dataset& data);
void TakeBackChanges(const RowUndo& undo, Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_ROW_CHANGES_H_
