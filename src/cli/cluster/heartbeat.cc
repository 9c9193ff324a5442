#include "cli/cluster/heartbeat.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <thread>

#include "cluster/layout.h"

namespace prejoin::cli {

using cluster::Change;
using cluster::kGatewaysObject;
using cluster::ObjectCode;
using cluster::ObjectStatus;

namespace {

constexpr double kLoadUnits = 100;

}  // namespace

std::optional<double> LoadOfMachine() {
  double load = 0;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return getloadavg(&load, 1) == 1 ? std::optional(load / cores) : std::nullopt;
}

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat) {
  const std::string load =
      heartbeat.load ? " " + std::to_string(std::lround(*heartbeat.load * kLoadUnits)) : "";
  Change change;
  change.entries = {{heartbeat.gateway, heartbeat.address +
                                            (heartbeat.leads ? " leads " : " hands ") +
                                            std::to_string(heartbeat.time_ms) + load}};
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
    Heartbeat heartbeat;
    heartbeat.gateway = gateway;
    std::string role;
    std::istringstream words(text);
    words >> heartbeat.address >> role >> heartbeat.time_ms;
    heartbeat.leads = role == "leads";
    // Gateways of an earlier version say none.
    if (double load = 0; words >> load && load >= 0) {
      heartbeat.load = load / kLoadUnits;
    }
    heartbeats.push_back(std::move(heartbeat));
  }
  return heartbeats;
}

}  // namespace prejoin::cli
