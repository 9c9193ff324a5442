// A database that is too simple to be wrong: a std::map of items for each table; an index is
// computed from its table whenever somebody asks. Nothing here comes from src/.
#ifndef PREJOIN_TESTS_REFERENCE_REFERENCE_ENGINE_H_
#define PREJOIN_TESTS_REFERENCE_REFERENCE_ENGINE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/operations.h"
#include "tests/reference/expressions.h"
#include "tests/reference/value_rules.h"

namespace prejoin::reference {

struct Units {
  double table = 0;
  std::map<std::string, double> local;
  std::map<std::string, double> global;

  double Total() const;
  // A transaction's factor is the table's alone.
  void Add(const Units& other, double table_factor);
};

enum class Reading { kEventual, kStrong, kTransactional };
double ReadUnits(std::size_t bytes, Reading reading);

struct Write {
  TransactAction action = TransactAction::kPut;
  std::string table;
  Item item_or_key;
  std::optional<Condition> condition;
  std::optional<Update> update;
};

// What a write would do now.
struct WriteOutcome {
  std::optional<ErrorCode> error;
  std::optional<Item> old_item;
  std::optional<Item> new_item;
  Item touched_old;
  Item touched_new;
  Units units;
};

struct KeyTerm {
  std::string attribute;
  std::string op;  // "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"
  AttributeValue value;
  AttributeValue high;
};

// A Query; a Scan if there are no terms.
struct Read {
  std::string table;
  std::optional<std::string> index;
  std::vector<KeyTerm> terms;
  bool forward = true;
  std::optional<Condition> filter;
  std::optional<std::vector<std::string>> projection;  // Top-level attributes.
  std::optional<Select> select;
  std::optional<int> limit;
  bool consistent = false;
};

struct Page {
  std::optional<ErrorCode> error;
  std::vector<Item> items;  // Empty for Select COUNT.
  int count = 0;
  int scanned = 0;
  std::optional<Item> last_key;
  Units units;
};

// An item as an index or the table itself has it.
struct Entry {
  Item entry;
  const Item* item = nullptr;
};

class Table {
 public:
  explicit Table(const CreateTableInput& schema);

  const std::string& name() const { return schema_.table_name; }
  const CreateTableInput& schema() const { return schema_; }
  bool IsKey(const std::string& attribute) const;
  const IndexSpecification* FindIndex(const std::string& index_name) const;
  bool IsLocal(const std::string& index_name) const;
  std::vector<const IndexSpecification*> Indexes() const;
  const Item* Find(const Item& key) const;
  Item KeyOf(const Item& item) const;

  void AddIndex(const IndexSpecification& index,
                const std::vector<AttributeDefinition>& definitions);
  void DropIndex(const std::string& index_name);
  void Put(const Item& item);
  void Remove(const Item& key);

  // Known from the request alone: a transaction with such a write is refused as a whole.
  bool SetsEmptyIndexKey(const Write& write) const;
  WriteOutcome Plan(const Write& write) const;
  // Without an index: the items themselves. In the order of the sort keys, then of the table's
  // keys.
  std::vector<Entry> Entries(const std::optional<std::string>& index_name) const;
  // Starts behind the first `skip` entries that the key condition allows.
  Page ReadPage(const Read& read, std::size_t skip) const;
  // The entries that the key condition allows, in the order of reading.
  std::vector<Entry> Matching(const Read& read) const;

 private:
  using Key = std::vector<AttributeValue>;

  Key KeyValues(const Item& item) const;
  std::optional<Item> EntryOf(const IndexSpecification& index, const Item& item) const;
  bool Projects(const IndexSpecification& index, const std::string& attribute) const;
  bool IndexKeysFit(const Item& item, const Item* old_item) const;
  void PriceIndexes(const Item* old_item, const Item* new_item, Units& units) const;
  std::optional<ErrorCode> CheckRead(const Read& read, bool& fetch) const;

  CreateTableInput schema_;
  std::map<std::string, ScalarType> types_;
  std::map<Key, Item, KeyLess> items_;
};

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_REFERENCE_ENGINE_H_
