// The keys under which an item and its index entries are stored: space, partition hash, key values
// (docs/formats/keys.md).
#ifndef PREJOIN_ENGINE_ITEM_KEYS_H_
#define PREJOIN_ENGINE_ITEM_KEYS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/item/record.h"
#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "value/encoding.h"

namespace prejoin::engine {

// Space, hash, and the encoded partition key itself: what all stored keys of one item collection
// begin with.
std::string PartitionPrefix(std::uint32_t space, std::string_view encoded_partition_key);

// `item` has valid key attributes: an item or a key that passed one of the checks below.
std::string StoredKey(const Table& table, const Item& item);
std::string StoredKey(const Table& table, ItemView item);
// The key of the size of the item's collection. Only for tables with local indexes.
std::string CollectionKey(const Table& table, const Item& item);

// Nullopt when the item is not in the index: it lacks a key attribute, or one has the wrong type
// (an item from before the index). Entries of equal index keys are told apart by the table's keys
// after them.
std::optional<std::string> IndexEntryKey(const Table& table, const Index& index, ItemView item);
// `key` has all key attributes of index and table (an exclusive start key).
std::string IndexEntryKey(const Table& table, const Index& index, const Item& key);

// Key given on its own (GetItem, DeleteItem…): exactly the key attributes, of the right types, not
// empty, not too long.
Status CheckKey(const Table& table, const Item& key);
// The key attributes inside an item to be put.
Status CheckItemKeys(const Table& table, const Item& item);
// Index keys inside an item to be put.
Status CheckIndexKeys(const Table& table, const Item& item);
// Index keys that an update changed. Items written before the index existed keep their attributes:
// they are not in the index, but can be updated elsewhere.
// `update` made the item; null if it had nothing to do.
Status CheckUpdatedIndexKeys(const Table& table, const Item& item, const Item& old_item,
                             const expr::Update* update);

// A key attribute must not be an empty string or binary value.
Status CheckNotEmpty(const std::string& key_name, const AttributeValue& value);
// The same for all keys of the table and its indexes in an item or key, and in what an update sets
// them to: as far as the request alone shows it.
Status CheckNoEmptyKeys(const Table& table, const Item& item, const expr::Update* update);

// Returns true if a value can be a key. Items that existed before an index may hold what no write would store
// as a key now, and stay out of the index.
bool FitsKey(const expr::KeyAttribute& key, ValueView value);

// The source of an index key; kCopy: an update took the value from another attribute. Each has its own error
// texts.
enum class IndexKeySource { kPut, kUpdate, kCopy };
IndexKeySource UpdateSource(const expr::Update* update, const std::string& attribute_name);
Status CheckIndexKey(const std::string& index_name, const expr::KeyAttribute& key,
                     const AttributeValue& value, IndexKeySource source);

// Refuses a path into a key attribute: those have no inside.
Status CheckKeyPath(const Table& table, const expr::Path& path);

bool HasType(const AttributeValue& value, ScalarType type);
bool HasType(ValueView value, ScalarType type);
std::string_view ScalarTypeName(ScalarType type);

// Returns true if a stored item, or an entry of the index, has all its key attributes.
bool HasKeys(const Table& table, const Index* index, ItemView item);
// DecodeRecord, for a record whose keys will be looked at. `index`: it is an entry of it; null: an
// item of the table.
Result<Record> DecodeWithKeys(const Table& table, const Index* index, std::string_view stored);

// Only the named attributes of an item, which has them.
Item KeyOf(const Table& table, ItemView item);
Item KeyOf(const Table& table, const Index* index, ItemView item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_KEYS_H_
