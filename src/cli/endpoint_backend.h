// Plans and writes on any DynamoDB endpoint over HTTP.
#ifndef PREJOIN_CLI_ENDPOINT_BACKEND_H_
#define PREJOIN_CLI_ENDPOINT_BACKEND_H_

#include <string>
#include <vector>

#include "model/prove/backend.h"
#include "cli/http_endpoint.h"

namespace prejoin::cli {

// Single thread.
class EndpointBackend : public model::Backend {
 public:
  explicit EndpointBackend(model::HttpEndpoint endpoint) : endpoint_(std::move(endpoint)) {}

  // Waits until the table can be used; DeleteTable until it is gone.
  Status CreateTable(const model::Model& model, const model::Table& table) override;
  Status Load(const std::string& table, const std::vector<Item>& items) override;
  Result<model::ReadAnswer> Get(const std::string& table, const Item& key,
                                bool consistent) override;
  Result<model::ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                     bool consistent) override;
  Result<model::ReadAnswer> Query(const model::KeyQuery& query) override;
  Result<model::WriteAnswer> Write(const model::ItemWrite& write) override;
  Result<model::WriteAnswer> WriteTogether(const std::vector<model::ItemWrite>& writes) override;

  Result<std::vector<std::string>> ListTables();
  Status DeleteTable(const std::string& table);

 private:
  // The body of a successful answer. An error answer becomes an Error with DynamoDB's message; a
  // failed condition has its own code.
  Result<std::string> Call(const std::string& operation, const std::string& body);

  model::HttpEndpoint endpoint_;
};

// The CreateTable request as DynamoDB JSON.
std::string CreateTableJson(const CreateTableInput& input);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ENDPOINT_BACKEND_H_
