#include "cli/cluster/heartbeat.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <thread>

#include "cluster/cluster_clock.h"
#include "cluster/layout.h"
#include "prejoin/clock.h"

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

bool HasWrongClock(const Heartbeat& heartbeat) {
  return std::abs(heartbeat.clock_ahead_ms.value_or(0)) > cluster::kClockDifferenceMaxMs;
}

std::int64_t HeartbeatTimeMs(cluster::ObjectStore& objects) {
  std::int64_t time_ms = 0;
  return objects.Time(time_ms).ok() ? time_ms : Clock::System().NowMs();
}

Status WriteHeartbeat(cluster::ObjectStore& objects, const Heartbeat& heartbeat) {
  const std::string load =
      heartbeat.load ? " " + std::to_string(std::lround(*heartbeat.load * kLoadUnits)) : " -";
  const std::string clock =
      heartbeat.clock_ahead_ms ? " " + std::to_string(*heartbeat.clock_ahead_ms) : "";
  Change change;
  change.entries = {{heartbeat.gateway, heartbeat.address +
                                            (heartbeat.leads ? " leads " : " hands ") +
                                            std::to_string(heartbeat.time_ms) + load + clock}};
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
  if (read.code == ObjectCode::kMissing) {
    return heartbeats;
  }
  if (!read.ok()) {
    return Error{ErrorCode::kIo, read.what};
  }
  for (const auto& [gateway, text] : entries) {
    Heartbeat heartbeat;
    heartbeat.gateway = gateway;
    std::string role;
    std::istringstream words(text);
    words >> heartbeat.address >> role >> heartbeat.time_ms;
    heartbeat.leads = role == "leads";
    // Gateways of earlier versions say less.
    std::string load;
    words >> load;
    if (double units = 0; std::istringstream(load) >> units && units >= 0) {
      heartbeat.load = units / kLoadUnits;
    }
    if (std::int64_t ahead_ms = 0; words >> ahead_ms) {
      heartbeat.clock_ahead_ms = ahead_ms;
    }
    heartbeats.push_back(std::move(heartbeat));
  }
  return heartbeats;
}

}  // namespace prejoin::cli
