#include "cli/cluster/heartbeat.h"

#include <sstream>

#include "cluster/layout.h"

namespace prejoin::cli {

using cluster::Change;
using cluster::kGatewaysObject;
using cluster::ObjectCode;
using cluster::ObjectStatus;

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat) {
  Change change;
  change.entries = {{heartbeat.gateway, heartbeat.address +
                                            (heartbeat.leads ? " leads " : " hands ") +
                                            std::to_string(heartbeat.time_ms)}};
  const ObjectStatus done = objects.Apply(kGatewaysObject, change);
  return done.ok() ? Status() : Error{ErrorCode::kIo, done.what};
}

void ForgetHeartbeat(cluster::ObjectStore& objects, const std::string& gateway) {
  Change change;
  change.removed_entries = {gateway};
  (void)objects.Apply(kGatewaysObject, change);
}

Result<std::vector<Heartbeat>> ReadHeartbeats(cluster::ObjectStore& objects) {
  cluster::ObjectStore::Map entries;
  const ObjectStatus read = objects.Entries(kGatewaysObject, entries);
  std::vector<Heartbeat> heartbeats;
  if (read.code == ObjectCode::kMissing) return heartbeats;
  if (!read.ok()) return Error{ErrorCode::kIo, read.what};
  for (const auto& [gateway, text] : entries) {
    Heartbeat heartbeat{.gateway = gateway, .address = "", .leads = false, .time_ms = 0};
    std::string role;
    std::istringstream(text) >> heartbeat.address >> role >> heartbeat.time_ms;
    heartbeat.leads = role == "leads";
    heartbeats.push_back(std::move(heartbeat));
  }
  return heartbeats;
}

}  // namespace prejoin::cli
