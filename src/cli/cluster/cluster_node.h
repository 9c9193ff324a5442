// A gateway of a cluster: hands requests on until it leads, and restarts when it ceases to.
//
// To cease to lead ends this run of the program, not only the role: whatever a thread of it was about
// to do must not happen any more, and none of them can be trusted to notice. The process executes
// itself again, with the same arguments and the same port, and hands requests on.
#ifndef PREJOIN_CLI_CLUSTER_CLUSTER_NODE_H_
#define PREJOIN_CLI_CLUSTER_CLUSTER_NODE_H_

#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "cluster/cluster_clock.h"
#include "cluster/lease.h"
#include "cluster/object_store.h"
#include "prejoin/database.h"
#include "prejoin/options.h"
#include "prejoin/result.h"
#include "server/cluster/forwarder.h"
#include "server/cluster/gateway_handler.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/server.h"

namespace CLI {
class App;
}

namespace prejoin::cli {

struct ClusterArguments {
  std::string configuration;  // Path of ceph.conf; empty: no cluster.
  std::string pool = "prejoin";
  std::string name = "default";
  std::string user;
  std::string peer_host;  // Empty: the address that this machine has in the Ceph cluster.
  unsigned lease_ms = 6000;
};

// The options that locate the cluster, for every verb that needs one.
void AddClusterPlace(CLI::App& verb, ClusterArguments& arguments);
// The above and what only a gateway needs.
void AddClusterOptions(CLI::App& verb, ClusterArguments& arguments);
cluster::ObjectStoreOptions ObjectsOf(const ClusterArguments& arguments);

// Its calls come from one thread.
class ClusterNode {
 public:
  // Answers clients, by handing them on, when this returns. `metrics` and `log` outlive the node.
  static Result<std::unique_ptr<ClusterNode>> Start(const ClusterArguments& arguments,
                                                    const server::ServerOptions& options,
                                                    server::Metrics& metrics, server::Log& log);
  ~ClusterNode();

  // Nullopt once this gateway leads; else the signal that came meanwhile.
  std::optional<int> WaitForLead(const sigset_t& stop_signals);
  // The cluster's database. This gateway leads.
  Result<std::unique_ptr<Database>> OpenDatabase(const Options& options);
  // From now on `handler` answers, here and for other gateways. It outlives the server, which is the
  // caller's now. Should the store of `database` fail, another gateway is to lead: StopPeers comes before
  // the database is closed.
  Result<std::unique_ptr<server::Server>> Lead(server::Handler& handler, Database& database);

  // Returns true if another gateway is asked to lead: close everything, then call BeginAnew.
  bool hands_over() const { return hands_over_; }

  // This process is told to stop, and does not restart any more.
  void Leave();
  // Executes this process again, as a gateway that does not lead. Does not come back.
  void BeginAnew(const std::string& reason);

  std::uint16_t port() const { return port_; }
  // The server for clients, for its end.
  std::unique_ptr<server::Server> TakeServer() { return std::move(server_); }
  // Ends answering other gateways; neither the handler nor the database is asked any more.
  void StopPeers(std::chrono::milliseconds timeout);
  // Everything is written and closed: lets another gateway lead, and executes this process again. Does not come back.
  void HandOver();
  // The same at the end of the process: leaves the cluster. Should the shared objects not answer, the process
  // ends without saying goodbye, and does not come back either.
  static void End(std::unique_ptr<ClusterNode> node);

 private:
  ClusterNode(const ClusterArguments& arguments, server::Log& log)
      : arguments_(arguments), log_(log) {}
  Status StartServers(server::ServerOptions options, server::Metrics& metrics);
  std::string LeaderAddress(bool fresh) PJ_EXCLUDES(mutex_);
  void ReadLeader() PJ_EXCLUDES(mutex_);
  // Runs beside, because the shared objects may let it wait: looks who leads, and becomes the leader.
  void Watch() PJ_EXCLUDES(mutex_);
  void LookForLead();
  void ReadClock();
  void NoteHeartbeat();
  std::string SelfName() const;

  const ClusterArguments arguments_;
  server::Log& log_;
  std::unique_ptr<cluster::ObjectStore> objects_;
  std::unique_ptr<cluster::ClusterClock> clock_;  // The database's.
  bool clock_is_right_ = true;                    // For the thread that watches.
  std::string secret_;
  std::string peer_address_;
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> epoch_ = 0;  // 0 until this gateway has taken the lead.
  std::atomic<bool> leads_ = false;
  std::atomic<bool> hands_over_ = false;
  std::atomic<bool> leaves_ = false;
  std::atomic<bool> stopping_ = false;

  Mutex mutex_;
  std::condition_variable wake_;          // For the thread that watches.
  std::condition_variable leader_known_;  // For those who wait for it.
  std::string leader_address_ PJ_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point leader_read_ PJ_GUARDED_BY(mutex_);
  bool leader_wanted_ PJ_GUARDED_BY(mutex_) = false;

  std::unique_ptr<cluster::Lease> lease_;
  std::unique_ptr<server::Forwarder> forwarder_;
  std::unique_ptr<server::GatewayHandler> gateway_;
  std::unique_ptr<server::PeerHandler> peers_;
  std::unique_ptr<server::Server> peer_server_;
  std::unique_ptr<server::Server> server_;
  std::thread watching_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_CLUSTER_NODE_H_
