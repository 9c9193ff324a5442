// Plans and writes on any DynamoDB endpoint over HTTP.
#ifndef PREJOIN_CLI_ENDPOINT_BACKEND_H_
#define PREJOIN_CLI_ENDPOINT_BACKEND_H_

#include <memory>
#include <string>
#include <vector>

#include "client/http_endpoint.h"
#include "client/signing_identity.h"
#include "model/prove/backend.h"

namespace prejoin::cli {

// Single thread.
class EndpointBackend : public model::Backend {
 public:
  EndpointBackend(client::HttpEndpoint endpoint, client::SigningIdentity identity)
      : endpoint_(std::move(endpoint)), identity_(std::move(identity)) {}
  // `region` may be empty: then the environment or the endpoint's name says it.
  static Result<std::unique_ptr<EndpointBackend>> Open(const std::string& url,
                                                       const std::string& region);

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

  // The body of a successful answer; waits and tries again where the endpoint asks for patience. An
  // error answer becomes an Error with DynamoDB's message; a
  // failed condition has its own code.
  Result<std::string> Call(const std::string& operation, const std::string& body);

 private:
  Result<client::HttpAnswer> SendSigned(const std::string& operation, const std::string& body);

  client::HttpEndpoint endpoint_;
  client::SigningIdentity identity_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ENDPOINT_BACKEND_H_
