// The items that a change of logical rows touches: which are put, changed or deleted, copies and
// embedded rows included.
#ifndef PREJOIN_MODEL_DATA_ITEM_CHANGES_H_
#define PREJOIN_MODEL_DATA_ITEM_CHANGES_H_

#include <optional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct ItemChange {
  const Table* table = nullptr;
  std::string entity;
  Item key;
  std::optional<Item> before;
  std::optional<Item> after;
};

// Compares the items of two datasets. An item whose key changes is deleted under the old and put
// under the new key.
std::vector<ItemChange> ChangesBetween(const Model& model, const Dataset& before,
                                       const Dataset& after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_ITEM_CHANGES_H_
