// Plans and writes on any DynamoDB endpoint over HTTP.
#ifndef PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_
#define PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/endpoint.h"
#include "model/prove/backend.h"

namespace prejoin::model {

// Single thread.
// The body of a Scan request for a query that is one.
std::string ScanJson(const KeyQuery& query);

class EndpointBackend : public Backend {
 public:
  explicit EndpointBackend(client::Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
  // `region` may be empty: then the environment or the endpoint's name says it.
  static Result<std::unique_ptr<EndpointBackend>> Open(const std::string& url,
                                                       const std::string& region);

  // Waits until the table can be used; DeleteTable until it is gone.
  Status CreateTable(const Model& model, const Table& table) override;
  Status Load(const std::string& table, const std::vector<Item>& items) override;
  Result<ReadAnswer> Get(const std::string& table, const Item& key, bool consistent) override;
  Result<ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                              bool consistent) override;
  Result<ReadAnswer> Query(const KeyQuery& query) override;
  Result<WriteAnswer> Write(const ItemWrite& write) override;
  Result<WriteAnswer> WriteTogether(const std::vector<ItemWrite>& writes) override;

  Result<std::vector<std::string>> ListTables();
  Status DeleteTable(const std::string& table);

 private:
  client::Endpoint endpoint_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_
