// The word of gateways about themselves in the shared objects: for people, and for `rebalance` to choose. It does not decide which gateway leads.
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
  std::optional<double> load;  // The machine's load: runnable processes per core.
  // The lead of its machine's clock over the cluster's. Nullopt: not known.
  std::optional<std::int64_t> clock_ahead_ms;
};

// The time by which heartbeats are judged: the cluster's, or this machine's if that cannot be read.
std::int64_t HeartbeatTimeMs(cluster::ObjectStore& objects);

// Returns true if the gateway keeps away from the lead because of its clock.
bool HasWrongClock(const Heartbeat& heartbeat);

// Returns this machine's load over the last minute.
std::optional<double> LoadOfMachine();

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat);
void ForgetHeartbeat(cluster::ObjectStore& objects, const std::string& gateway);
Result<std::vector<Heartbeat>> ReadHeartbeats(cluster::ObjectStore& objects);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_HEARTBEAT_H_
