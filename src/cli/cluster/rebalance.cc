// Moving the lead. The command writes a wish into the directory object, for this epoch's leader only, and
// waits until the epoch has changed. The leader sees the wish when it next looks, closes the store and lets
// go; the heir becomes the leader before all others (cluster/lease.h). Should the heir die meanwhile, another
// one takes over after a lease, and the command says who.
#include "cli/cluster/rebalance.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include "cli/cluster/heartbeat.h"
#include "cluster/choose_heir.h"
#include "cluster/cluster_clock.h"
#include "cluster/lease.h"

namespace prejoin::cli {
namespace {

using cluster::LeaseState;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookPause(50);
// Requests in flight and a last flush may take some time.
constexpr std::chrono::seconds kMoveTimeMax(90);

ExitCode CannotMove(const std::string& message) {
  std::fprintf(stderr, "prejoin cluster rebalance: %s\n", message.c_str());
  return kCouldNotRun;
}

// Gateways that may lead: one whose clock is wrong would not.
std::vector<cluster::Candidate> CandidatesOf(const std::vector<Heartbeat>& heartbeats,
                                             std::int64_t now) {
  std::vector<cluster::Candidate> candidates;
  for (const Heartbeat& one : heartbeats) {
    if (HasWrongClock(one) && !one.leads) {
      continue;
    }
    candidates.push_back({one.gateway, std::max<std::int64_t>(0, now - one.time_ms), one.load});
  }
  return candidates;
}

// The state with another leader than that of `epoch`; nullopt if none comes in time.
Result<std::optional<LeaseState>> WaitForNextLeader(cluster::ObjectStore& objects,
                                                    std::uint64_t epoch) {
  const auto deadline = steady_clock::now() + kMoveTimeMax;
  while (steady_clock::now() < deadline) {
    PJ_ASSIGN_OR_RETURN(const auto state, cluster::ReadLease(objects));
    if (state && state->epoch > epoch && state->leader) {
      return state;
    }
    std::this_thread::sleep_for(kLookPause);
  }
  return std::nullopt;
}

}  // namespace

ExitCode MoveLead(cluster::ObjectStore& objects, const std::string& to) {
  const auto state = cluster::ReadLease(objects);
  if (!state) {
    return CannotMove(state.error().message);
  }
  if (!*state) {
    return CannotMove("there is no cluster of that name in the pool");
  }
  if (!(*state)->leader) {
    return CannotMove("no gateway leads at the moment");
  }
  const std::string& leader = (*state)->leader->gateway;
  const auto heartbeats = ReadHeartbeats(objects);
  if (!heartbeats) {
    return CannotMove(heartbeats.error().message);
  }
  const auto wanted = std::ranges::find(*heartbeats, to, &Heartbeat::gateway);
  if (wanted != heartbeats->end() && HasWrongClock(*wanted) && !wanted->leads) {
    return CannotMove(to + " does not take the lead: its clock is " +
                      cluster::PrintClockDifference(*wanted->clock_ahead_ms) + " the cluster's");
  }
  const auto heir =
      cluster::ChooseHeir(CandidatesOf(*heartbeats, HeartbeatTimeMs(objects)), leader, to);
  if (!heir) {
    return CannotMove(heir.error().message + ": see prejoin cluster status");
  }
  if (!*heir) {
    std::printf("nothing to do: %s leads, %s\n", leader.c_str(),
                to.empty() ? "and no other machine is sufficiently less busy" : "as it should");
    return kFine;
  }
  const auto begun = steady_clock::now();
  if (const Status named = cluster::NameHeir(objects, **state, **heir); !named) {
    return CannotMove(named.error().message);
  }
  const auto next = WaitForNextLeader(objects, (*state)->epoch);
  if (!next) {
    return CannotMove(next.error().message);
  }
  if (!*next) {
    std::printf("%s did not hand over the lead; it may run an earlier version\n", leader.c_str());
    return kAnswerIsNo;
  }
  const std::chrono::duration<double> took = steady_clock::now() - begun;
  const std::string& now = (*next)->leader->gateway;
  std::printf("lead moved from %s to %s after %.1f s, epoch %" PRIu64 "\n", leader.c_str(),
              now.c_str(), took.count(), (*next)->epoch);
  return now == **heir ? kFine : kAnswerIsNo;
}

}  // namespace prejoin::cli
