// Plans and writes on a database inside this program.
#ifndef PREJOIN_MODEL_PROVE_EMBEDDED_BACKEND_H_
#define PREJOIN_MODEL_PROVE_EMBEDDED_BACKEND_H_

#include <memory>
#include <string>
#include <vector>

#include "model/prove/backend.h"
#include "prejoin/database.h"

namespace prejoin::model {

// Single thread.
class EmbeddedBackend : public Backend {
 public:
  // An empty database in memory.
  static Result<std::unique_ptr<EmbeddedBackend>> OpenInMemory(IndexLag lag = {});
  explicit EmbeddedBackend(std::unique_ptr<Database> database)
      : owned_(std::move(database)), database_(*owned_) {}
  // A database of the caller, which outlives this object.
  explicit EmbeddedBackend(Database& database) : database_(database) {}

  Status CreateTable(const Model& model, const Table& table) override;
  Status Load(const std::string& table, const std::vector<Item>& items) override;
  Result<ReadAnswer> Get(const std::string& table, const Item& key, bool consistent) override;
  Result<ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                              bool consistent) override;
  Result<ReadAnswer> Query(const KeyQuery& query) override;
  Result<WriteAnswer> Write(const ItemWrite& write) override;
  Result<WriteAnswer> WriteTogether(const std::vector<ItemWrite>& writes) override;

  Database& database() { return database_; }

 private:
  std::unique_ptr<Database> owned_;
  Database& database_;
};

// The transaction of some writes.
TransactWriteItemsInput MakeTransaction(const std::vector<ItemWrite>& writes);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_EMBEDDED_BACKEND_H_
