// Plans and writes on any DynamoDB endpoint.
#ifndef PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_
#define PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/prove/backend.h"

namespace prejoin::model {

// The body of a Scan request for a query that is one.
std::string ScanJson(const KeyQuery& query);

// Single thread.
class EndpointBackend : public Backend {
 public:
  // An operation and its body to an endpoint: the body of the answer, or an error as client::ErrorOf makes it.
  using Call =
      std::function<Result<std::string>(const std::string& operation, const std::string& body)>;
  explicit EndpointBackend(Call call) : call_(std::move(call)) {}
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
  Call call_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_ENDPOINT_BACKEND_H_
