// Tables, items and indexes as data, and the edits that every design is made of: a key, an index, a copy, a list, a lock item.
#ifndef PREJOIN_MODEL_LAYOUT_TABLE_EDITS_H_
#define PREJOIN_MODEL_LAYOUT_TABLE_EDITS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Null if the entity has no items of its own.
ItemLayout* FindLayout(Model& model, std::string_view entity);
Table* FindTable(Model& model, std::string_view entity);

// ---- Items ----

// Items with these keys at the end of the table. An empty sort key is left out.
ItemLayout& AddItem(Table& table, const Entity& entity, const std::string& partition,
                    const std::string& sort);
// Nothing but a lock item keeps a unique attribute unique that is not the key.
void LockUniqueAttributes(const Entity& entity, ItemLayout& layout);
// `once` promises one row for each key. Where the item's key holds more than that, a lock item keeps the promise.
void LockRowKeys(const Model& model, const Table& table, ItemLayout& layout);
// Gives the item the key, in place of one of the same name or in front of all others.
void SetKey(ItemLayout& layout, const std::string& name, const KeyTemplate& key);

// The item's copy of that attribute; null if it has none.
const StoredAttribute* FindCopy(const ItemLayout& layout, const Path& original);
enum class CopyNaming {
  kWhole,     // customerName for Customer.name, customerCustomerName for Customer.CustomerName.
  kAsHolder,  // As the holder's attributes begin, and without the owner's name twice: CustomerName for both.
};
// A copy under a name that the holder does not have.
StoredAttribute MakeCopy(const Entity& holder, const Path& original, CopyUpkeep upkeep,
                         CopyNaming naming = CopyNaming::kWhole);
// `Lines = list of Line`, under a name that the holder does not have.
StoredAttribute MakeList(const Entity& holder, const ItemLayout& layout, const Entity& rows);

// ---- Indexes ----

// True if its keys are attributes that items carry for it alone.
bool HasOwnKeys(const Index& index, const Table& table);
// An index that projects its keys and those of the table.
Index MakeIndex(const std::string& name, const std::string& partition, const std::string& sort);
// GSI1, or the first number that no index has and whose keys GSI1PK and GSI1SK no item has.
std::string FreeIndexName(const Table& table);
// An index of that name with keys of its own, which no item has yet.
Index& NewIndex(Table& table);
// An index with keys of its own that the item does not have yet; null if there is none. An index whose keys are attributes of some
// entity in the table, such as a country, holds those and nothing else.
Index* IndexToShare(const Model& model, Table& table, const ItemLayout& layout);
// Projects these attributes and no others, or these as well.
void Project(Index& index, std::span<const std::string> attributes);
void Widen(Index& index, std::span<const std::string> attributes);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_TABLE_EDITS_H_
