// The requests that an application sends to the database for a step of a write, using only what the model states.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_ITEM_ACTIONS_H_
#define PREJOIN_MODEL_PROVE_TRIAL_ITEM_ACTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/data/item_changes.h"
#include "model/prove/trial/row_changes.h"

namespace prejoin::model {

// The party that changes an attribute of an item when the rows that it follows from change.
enum class Keeper {
  kRequest,       // The request of the step itself.
  kRequestAfter,  // The same caller, in a request after it: nothing is stated about the copy.
  kLater,         // A stream or a batch.
  kNobody
};

// Returns the keeper of the attribute `name` of an item of `layout` (an entity or second layout) that is not a
// row of the step itself, or is (`own`).
Keeper KeeperOf(const Model& model, const std::string& layout, const std::string& name,
                const WriteStep& step, bool own);

struct ItemAction {
  std::string place;  // In ItemsByKey.
  PlacedItem item;    // The key, and for a put the whole item.
  enum class Kind { kPut, kUpdate, kDelete } kind = Kind::kPut;
  std::vector<std::pair<std::string, std::optional<AttributeValue>>> set;  // Nullopt: removed.
  std::vector<std::pair<std::string, Number>> add;
  bool once = false;  // Refused if the item is there.
  bool own = false;   // An item of the step's own row.
};

// The pictures are the items as they would be if everything were kept right, before and after the changes of rows.
struct StepPictures {
  const ItemsByKey& before;
  const ItemsByKey& after;
};

struct StepActions {
  std::vector<ItemAction> request;
  std::vector<ItemAction> after;  // Sent by the same caller, in a later request.
};

StepActions ActionsOfStep(const Model& model, const BoundStep& bound,
                          const std::vector<RowChange>& changes, const Dataset& before,
                          const StepPictures& pictures, const ItemsByKey& stored);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_ITEM_ACTIONS_H_
