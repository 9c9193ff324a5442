// From logical rows to items and back: key templates rendered, copies and embedded rows filled in.
#ifndef PREJOIN_MODEL_DATA_ITEM_RENDER_H_
#define PREJOIN_MODEL_DATA_ITEM_RENDER_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::model {

// The item that a row becomes. The entity must have a layout.
Item RenderItem(const Model& model, const Entity& entity, const Row& row, DataIndex& data);

// Only the table's key.
std::optional<Item> RenderPrimaryKey(const Model::Placement& placement, const Row& row);

// The value of the table's type attribute for an entity.
std::string TypeValue(const Table& table, const std::string& entity);

// The key of a lock item before the value that it keeps unique.
std::string LockPrefix(const std::string& entity, const std::string& attribute);

// All items of each table, in the order of entities and rows.
struct TableItems {
  const Table* table = nullptr;
  std::vector<Item> items;
  std::vector<std::string> entities;  // The entity of each item.
};
// The lock items of a row: one for each attribute that its layout keeps unique by one, with nothing but the key.
std::vector<Item> RenderLocks(const Model::Placement& placement, const Row& row);
// True if the entity of a rendered item (TableItems, ItemChange) stands for a lock.
bool IsLock(std::string_view entity);

// The first key that refuses a value of the row, and why; empty: none does.
std::string WhyNoKey(const ItemLayout& layout, const Row& row);

// An error for the first row that a key of its layout refuses.
Status CheckKeys(const Model& model, const Dataset& data);

// Rows that a key refuses are left out; CheckKeys names them.
std::vector<TableItems> RenderAll(const Model& model, DataIndex& data);
// The same in portions of one table, for what is too much at once. The first error ends it, and a row that a key refuses is one.
Status EachRendered(const Model& model, DataIndex& data, std::size_t portion,
                    const std::function<Status(const TableItems& some)>& visit);

// Which entity an item belongs to: by the type attribute, or by the templates its keys fit. Empty:
// unknown.
std::string EntityOfItem(const Model& model, const Table& table, const Item& item);

// The entity's attributes as far as the item has them, also those that are only in its keys. Copies
// are called "Entity.attribute".
Row RowOfItem(const Model& model, const Model::Placement& placement, const Item& item);

// The rows embedded in a list or map attribute of an item of `placement`.
std::vector<Row> EmbeddedRows(const Model& model, const Model::Placement& placement,
                              const StoredAttribute& stored, const Item& item);

// The members that an embedded row keeps.
std::vector<Path> EmbeddedMembers(const Model& model, const Entity& owner,
                                  const StoredAttribute& stored);

// Bytes of an item by AWS's rule: names and values. Written from the rule, not shared with the
// engine, so that prove compares two independent answers.
std::size_t PredictItemBytes(const Item& item);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_ITEM_RENDER_H_
