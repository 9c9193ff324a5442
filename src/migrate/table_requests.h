// The requests of the DynamoDB API that a migration needs, over any way to send them.
#ifndef PREJOIN_MIGRATE_TABLE_REQUESTS_H_
#define PREJOIN_MIGRATE_TABLE_REQUESTS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::migrate {

// Sends an operation with its JSON body and gives the answer's.
using SendRequest =
    std::function<Result<std::string>(const std::string& operation, const std::string& body)>;

struct ScanPage {
  std::vector<Item> items;
  std::optional<Item> next;  // Where the next page starts; nullopt: this was the last.
};

// The changes of an UpdateItem. It does nothing where there is no item any more, or, with `expected`, where an attribute that it
// changes is not as it is there.
struct ItemUpdate {
  Item key;
  Item set;
  std::vector<std::string> remove;
  std::optional<Item> expected = {};
};

// Single thread.
class TableRequests {
 public:
  explicit TableRequests(SendRequest send) : send_(std::move(send)) {}

  Result<ScanPage> Scan(const std::string& table, const std::optional<Item>& start, int limit,
                        bool consistent);
  // Any number of keys, read strongly consistent; items come in any order.
  Result<std::vector<Item>> Get(const std::string& table, const std::vector<Item>& keys);
  // Any number of items and keys, each key once. Gives the write units, as far as they are told.
  Result<double> Write(const std::string& table, const std::vector<Item>& puts,
                       const std::vector<Item>& deletes);
  Result<double> Update(const std::string& table, const ItemUpdate& update);
  // Nothing happens where there is an item with the key.
  Result<double> PutNew(const std::string& table, const Item& key, const Item& item);
  // Nothing happens where the item is another one.
  Result<double> Delete(const std::string& table, const Item& key, const Item& expected);

  struct TableFacts {
    std::string status;
    double items = 0;
    std::vector<std::string> indexes;
    bool indexes_ready = true;
  };
  Result<std::optional<TableFacts>> Describe(const std::string& table);
  // Each waits until it is done; what is there, or gone, already is no error.
  Status Create(const model::Model& model, const model::Table& table);
  Status Drop(const std::string& table);
  Status AddIndex(const model::Model& model, const model::Table& table, const std::string& index);
  Status DropIndex(const std::string& table, const std::string& index);

 private:
  Result<double> SendConditional(const std::string& operation, const std::string& body);
  Result<double> SendBatch(std::string requests);
  Status WaitFor(const std::string& table,
                 const std::function<bool(const std::optional<TableFacts>&)>& done);

  SendRequest send_;
};

}  // namespace prejoin::migrate

#endif  // PREJOIN_MIGRATE_TABLE_REQUESTS_H_
