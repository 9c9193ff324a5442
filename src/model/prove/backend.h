// A database that plans and writes run on. Implementations: the embedded database, any DynamoDB endpoint over
// HTTP, and the predictor, which computes answers and units from the rules alone.
#ifndef PREJOIN_MODEL_PROVE_BACKEND_H_
#define PREJOIN_MODEL_PROVE_BACKEND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::model {

enum class SortTest { kNone, kEqual, kBeginsWith, kBetween, kAtLeast, kAtMost };

struct KeyQuery {
  std::string table;
  std::string index;  // Empty: the base table.
  // Partition key, then leading sort attributes.
  std::vector<std::pair<std::string, AttributeValue>> equal;
  SortTest test = SortTest::kNone;
  std::string sort_attribute;
  AttributeValue low;   // Also the only operand of =, begins_with, >=.
  AttributeValue high;  // The upper bound of between and <=.
  bool scan = false;    // All of the table instead: nothing else but the start key counts.
  bool descending = false;
  bool consistent = false;
  bool all_attributes =
      false;  // For a local index: it fetches from the table what it does not keep.
  std::optional<int> limit;
  std::optional<Item> start_key;
};

struct ReadAnswer {
  std::vector<Item> items;
  std::optional<Item> next_key;
  double read_units = 0;
};

// A write: the item as known before (for the predictor and for updates), and the new item.
struct ItemWrite {
  std::string table;
  Item key;
  std::optional<Item> old_item;
  std::optional<Item> new_item;  // Nullopt: delete.
  bool once = false;             // Refuse if there is an item already.
  bool partial = false;  // UpdateItem with only the attributes that differ, instead of PutItem.
  std::vector<Condition> guard;  // Must hold on the stored item; operands are literals.
  bool later = false;            // Sent by a stream or batch: in no transaction of the write itself.
};

// The condition of a write: `once` and the guard. Empty text: none.
struct WriteCondition {
  std::string text;
  AttributeNames names;
  AttributeValues values;
};
WriteCondition MakeWriteCondition(const ItemWrite& write);
// The same, for an item as it is stored, or null.
bool MayWrite(const ItemWrite& write, const Item* stored);

struct WriteAnswer {
  bool refused = false;  // The condition failed, and nothing was written.
  double write_units = 0;
};

// Single thread.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual Status CreateTable(const Model& model, const Table& table) = 0;
  virtual Status Load(const std::string& table, const std::vector<Item>& items) = 0;
  virtual Result<ReadAnswer> Get(const std::string& table, const Item& key, bool consistent) = 0;
  // At most 100 keys. Items come in any order.
  virtual Result<ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                      bool consistent) = 0;
  virtual Result<ReadAnswer> Query(const KeyQuery& query) = 0;
  virtual Result<WriteAnswer> Write(const ItemWrite& write) = 0;
  virtual Result<WriteAnswer> WriteTogether(const std::vector<ItemWrite>& writes) = 0;
};

// The CreateTable request for a table of the model.
CreateTableInput MakeCreateTable(const Model& model, const Table& table);

GetItemInput MakeGet(const std::string& table, const Item& key, bool consistent);
BatchGetItemInput MakeBatchGet(const std::string& table, const std::vector<Item>& keys,
                               bool consistent);

// The Query request for a key query, with placeholders for every name and value.
QueryInput MakeQuery(const KeyQuery& query);

// The Scan request for a query that is one.
ScanInput MakeScan(const KeyQuery& query);

// SET and REMOVE of the differences between two items, with placeholders.
struct UpdateExpression {
  std::string text;
  AttributeNames names;
  AttributeValues values;
};
UpdateExpression MakeUpdate(const Item& key, const Item& old_item, const Item& new_item);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_BACKEND_H_
