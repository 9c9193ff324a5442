// The rows that one step of a write changes, and the items that follow from them.
#ifndef PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_
#define PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/prove/backend.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct RowChange {
  std::string entity;
  std::optional<std::size_t> number;  // Of the row in the data; nullopt: a new row.
  std::optional<Row> row;             // As it is afterwards; nullopt: gone.
};

struct WriteEffect {
  std::vector<RowChange> rows;
  std::vector<ItemWrite> writes;
  Dataset after;           // The rows that were rendered, as they are afterwards.
  std::string impossible;  // Why it cannot be run on this data; empty if it can.
  std::string replaced;    // The put would replace another row: says which.
};

// All items are rendered, or only those near the changed rows; both give the same writes.
enum class WriteScope { kAll, kNear };

// The step on rows of its own choice: the last row is deleted, the first for which the condition holds is updated, new
// rows are like the last one under another key.
WriteEffect EffectOfStep(const Model& model, const WriteStep& step, const Dataset& data,
                         WriteScope scope);

// The items that follow from given changes of rows, those of sums and counts included, which are added to `rows`.
WriteEffect EffectOfRows(const Model& model, const WriteStep& step, std::vector<RowChange> rows,
                         const Dataset& data, WriteScope scope);

// Takes changes of rows back, the last ones first.
struct RowUndo {
  std::map<std::string, std::map<std::size_t, Row>>
      updated;  // Rows as they were, by entity and number.
  std::map<std::string, std::map<std::size_t, Row>> gone;
  std::map<std::string, std::size_t> added;  // How many, at the end.
};
RowUndo ApplyChanges(const std::vector<RowChange>& changes, Dataset& data);
void TakeBackChanges(const RowUndo& undo, Dataset& data);

// The row after the step: other values where it sets something, counters moved, what it removes gone.
Row UpdatedRow(const Entity& entity, const WriteStep& step, Row row);

// Another value of the attribute's type, from its list of values if it has one.
AttributeValue DifferentValue(const Attribute& attribute, const AttributeValue* value);

// A row that is not among `rows` yet: like the last of them, under another key and with other unique values.
Row FreshRow(const Entity& entity, const Dataset& data, const std::vector<Row>& also_taken);

// Conditions with the parameters replaced by values for which they hold on `row`, as far as that is possible.
std::vector<Condition> BindConditions(const std::vector<Condition>& conditions, const Row& row);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_WRITE_EFFECT_H_
