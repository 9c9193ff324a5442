// The word of gateways about themselves in the shared objects: for people, and for `rebalance` to choose. Who leads does not hang on it.
#ifndef PREJOIN_CLI_CLUSTER_HEARTBEAT_H_
#define PREJOIN_CLI_CLUSTER_HEARTBEAT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/object_store.h"
#include "prejoin/result.h"

namespace prejoin::cli {

struct Heartbeat {
  std::string gateway;
  std::string address;  // For other gateways.
  bool leads = false;
  std::int64_t time_ms = 0;
  std::optional<double> load;  // Of its machine: processes that want to run, for each core.
};

// Of this machine, over the last minute.
std::optional<double> LoadOfMachine();

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat);
void ForgetHeartbeat(cluster::ObjectStore& objects, const std::string& gateway);
Result<std::vector<Heartbeat>> ReadHeartbeats(cluster::ObjectStore& objects);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_HEARTBEAT_H_
