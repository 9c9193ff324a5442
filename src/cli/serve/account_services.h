// Shows and simulates parts of an AWS account: keys that are used most, partitions, metrics, the
// clock of the tables, latency and injected faults.
#ifndef PREJOIN_CLI_SERVE_ACCOUNT_SERVICES_H_
#define PREJOIN_CLI_SERVE_ACCOUNT_SERVICES_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "server/delays.h"
#include "server/dispatch.h"
#include "server/engine_backend.h"
#include "wire/disturbances.h"
#include "wire/scaling/scaling_api.h"

namespace prejoin::cli {

// The items loaded at the start belong to no request: loading takes no capacity, and does not wait until
// the table is ACTIVE.
Status LoadUnmetered(Database& database, const std::string& table_name,
                     const std::vector<Item>& items);

// Outlives the server that uses it.
class AccountServices {
 public:
  // All outlive this object.
  AccountServices(const ServeArguments& arguments, server::EngineBackend& backend,
                  Database& database);

  // Before the first request. An error if the file of faults cannot be read.
  Status AddTo(server::Dispatch& dispatch, server::DynamoDbEndpoint& endpoint);
  // Answers that are held back leave now. Before the server shuts down.
  void Stop() { delays_.Stop(); }

 private:
  void ServeAccountApis(server::Dispatch& dispatch);
  void AddFaultRoutes(server::Dispatch& dispatch);
  Status ReadFaults();

  const ServeArguments& arguments_;
  server::EngineBackend& backend_;
  Database& database_;
  wire::Disturbances disturbances_;
  const std::shared_ptr<wire::ScalingApi> scaling_;  // Shared with a sweep of the database, which lives longer.
  server::Delays delays_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_ACCOUNT_SERVICES_H_
