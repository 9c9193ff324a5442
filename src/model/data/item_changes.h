// The items that a change of logical rows touches: which are put, changed or deleted, copies and
// embedded rows included.
#ifndef PREJOIN_MODEL_DATA_ITEM_CHANGES_H_
#define PREJOIN_MODEL_DATA_ITEM_CHANGES_H_

#include <map>
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

// An item with its place.
struct PlacedItem {
  const Table* table = nullptr;
  std::string entity;  // As in TableItems: of a lock, the entity's name and a suffix.
  Item key;
  Item item;
};
// Keyed by table and key, as text.
using ItemsByKey = std::map<std::string, PlacedItem>;

ItemsByKey RenderByKey(const Model& model, const Dataset& data);
// The place of an item with this key in such a map.
std::string ItemPlace(const Table& table, const Item& item);

// Compares the items of two datasets. An item whose key changes is deleted under the old and put
// under the new key.
std::vector<ItemChange> ChangesBetween(const Model& model, const Dataset& before,
                                       const Dataset& after);
std::vector<ItemChange> ChangesBetween(const ItemsByKey& before, const ItemsByKey& after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_ITEM_CHANGES_H_
