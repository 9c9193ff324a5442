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
  std::int64_t time_ms = 0;    // By the cluster's clock (cluster/cluster_clock.h).
  std::optional<double> load;  // Of its machine: processes that want to run, for each core.
  // How far the clock of its machine is ahead of the cluster's. Nullopt: not known.
  std::optional<std::int64_t> clock_ahead_ms;
};

// The time by which heartbeats are judged: the cluster's, or this machine's if that cannot be read.
std::int64_t HeartbeatTimeMs(cluster::ObjectStore& objects);

// Whether the gateway keeps away from the lead because of its clock.
bool HasWrongClock(const Heartbeat& heartbeat);

// Of this machine, over the last minute.
std::optional<double> LoadOfMachine();

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat);
void ForgetHeartbeat(cluster::ObjectStore& objects, const std::string& gateway);
Result<std::vector<Heartbeat>> ReadHeartbeats(cluster::ObjectStore& objects);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_HEARTBEAT_H_
