#include "cli/cluster/cluster_node.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "cli/cluster/heartbeat.h"
#include "cli/cluster/stoppable.h"
#include "cli/verb.h"
#include "cluster/layout.h"
#include "cluster/load_module.h"
#include "cluster/shared_store.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/table/catalog_codec.h"
#include "prejoin/clock.h"

namespace prejoin::cli {
namespace {

constexpr std::chrono::milliseconds kLeaderReadAgain(30);
// For a new reading, before the last one has to do: the shared objects may not answer at all.
constexpr std::chrono::milliseconds kLeaderReadWait(200);
constexpr int kLooksPerLease = 6;
// To say goodbye to the other gateways, by objects that may not answer. Everything acknowledged is durable.
constexpr std::chrono::seconds kLeaveTime(3);
// Most of their time they wait for an OSD.
constexpr int kWorkersThatWait = 32;

// "v2:10.1.2.3:0/123456" → "10.1.2.3"; empty if it looks otherwise.
std::string HostOfClient(std::string client) {
  client = client.substr(0, client.rfind('/'));
  client = client.substr(0, client.rfind(':'));
  const std::size_t version = client.find("v2:");
  if (version != std::string::npos) {
    client = client.substr(version + 3);
  }
  if (client.starts_with('[') && client.ends_with(']')) {
    client = client.substr(1, client.size() - 2);
  }
  return client;
}

std::string JoinAddress(const std::string& host, std::uint16_t port) {
  return (host.find(':') != std::string::npos ? "[" + host + "]" : host) + ":" +
         std::to_string(port);
}

void StandStill(int) {
  while (true) {
    pause();
  }
}

// The arguments of this process, with the port that it really has.
std::vector<std::string> OwnArguments(std::uint16_t port) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.size(), text.find('\0', at));
    arguments.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--port") {
      ++i;
    } else if (!arguments[i].starts_with("--port=")) {
      kept.push_back(arguments[i]);
    }
  }
  kept.insert(kept.end(), {"--port", std::to_string(port)});
  return kept;
}

}  // namespace

void AddClusterPlace(CLI::App& verb, ClusterArguments& arguments) {
  verb.add_option("--rados", arguments.configuration,
                  "ceph.conf of the Ceph cluster that stores the data; any number of gateways can "
                  "serve it (docs/scale-out.md)")
      ->check(CLI::ExistingFile)
      ->option_text("CEPH_CONF");
  verb.add_option("--pool", arguments.pool, "Replicated pool for --rados")->capture_default_str();
  verb.add_option(
          "--cluster", arguments.name,
          "Name of the database in the pool; gateways with the same name serve the same tables")
      ->capture_default_str();
  verb.add_option("--rados-user", arguments.user, "Ceph user, as in client.NAME")
      ->option_text("NAME [admin]");
}

void AddClusterOptions(CLI::App& verb, ClusterArguments& arguments) {
  AddClusterPlace(verb, arguments);
  verb.add_option("--peer-host", arguments.peer_host,
                  "Address at which other gateways reach this machine. Default: its address in the "
                  "Ceph cluster");
  constexpr unsigned kLeaseMsMin = 500;
  constexpr unsigned kLeaseMsMax = 600'000;
  verb.add_option("--lease-ms", arguments.lease_ms,
                  "How long the leader may be silent before another gateway takes over")
      ->check(CLI::Range(kLeaseMsMin, kLeaseMsMax))
      ->option_text("MS [6000]")
      ->capture_default_str();
}

cluster::ObjectStoreOptions ObjectsOf(const ClusterArguments& arguments) {
  return {.configuration = arguments.configuration,
          .user = arguments.user,
          .pool = arguments.pool,
          .space = "prejoin." + arguments.name};
}

Result<std::unique_ptr<ClusterNode>> ClusterNode::Start(const ClusterArguments& arguments,
                                                        const server::ServerOptions& options,
                                                        server::Metrics& metrics,
                                                        server::Log& log) {
  std::unique_ptr<ClusterNode> node(new ClusterNode(arguments, log));
  PJ_ASSIGN_OR_RETURN(node->objects_, cluster::OpenRados(ObjectsOf(arguments)));
  PJ_RETURN_IF_ERROR(cluster::EnsureCluster(*node->objects_));
  node->clock_ = std::make_unique<cluster::ClusterClock>(*node->objects_);
  PJ_ASSIGN_OR_RETURN(const auto state, cluster::ReadLease(*node->objects_));
  node->secret_ = state->secret;
  PJ_RETURN_IF_ERROR(node->StartServers(options, metrics));
  ClusterNode& self = *node;
  metrics.AddGauge("prejoin_cluster_leads", "1 if this gateway leads.",
                   [&self] { return std::uint64_t{self.leads_ ? 1u : 0u}; });
  metrics.AddGauge("prejoin_cluster_forwarded", "Requests that the leader has answered.",
                   [&self] { return self.forwarder_->forwarded_count(); });
  metrics.AddGauge("prejoin_cluster_unknown",
                   "Writes whose answer was lost on the way to the leader.",
                   [&self] { return self.forwarder_->unknown_count(); });
  node->watching_ = std::thread([&self] { self.Watch(); });
  return node;
}

Status ClusterNode::StartServers(server::ServerOptions options, server::Metrics& metrics) {
  options.worker_threads = kWorkersThatWait;
  const auto holds_lease = [this] { return leads_ && lease_->IsHeld(); };
  forwarder_ = std::make_unique<server::Forwarder>(server::ForwarderOptions{
      .leader = [this](bool fresh) { return LeaderAddress(fresh); }, .secret = secret_});
  gateway_ = std::make_unique<server::GatewayHandler>(holds_lease, *forwarder_, metrics);
  peers_ = std::make_unique<server::PeerHandler>(holds_lease, secret_);
  PJ_ASSIGN_OR_RETURN(server_, server::Server::Start(options, *gateway_, metrics, log_));
  port_ = server_->port();
  server::ServerOptions for_peers = options;
  for_peers.tls = nullptr;
  for_peers.port = 0;
  for_peers.host =
      arguments_.peer_host.empty() ? HostOfClient(objects_->OwnAddress()) : arguments_.peer_host;
  if (for_peers.host.empty()) {
    return Error{ErrorCode::kValidation,
                 "set the address at which other gateways reach this one with --peer-host"};
  }
  PJ_ASSIGN_OR_RETURN(peer_server_, server::Server::Start(for_peers, *peers_, metrics, log_));
  peer_address_ = JoinAddress(for_peers.host, peer_server_->port());
  cluster::LeaseOptions lease;
  lease.self = {SelfName(), peer_address_, ""};
  lease.duration = std::chrono::milliseconds(arguments_.lease_ms);
  lease.may_lead = [this] { return clock_->MayLead(); };
  lease_ = std::make_unique<cluster::Lease>(*objects_, std::move(lease));
  return {};
}

ClusterNode::~ClusterNode() {
  stopping_ = true;
  {
    const MutexLock lock(mutex_);
    wake_.notify_all();
  }
  if (watching_.joinable()) {
    watching_.join();
  }
  if (lease_ != nullptr) {
    lease_->WatchHealth({});
  }
  if (objects_ != nullptr && port_ != 0) {
    ForgetHeartbeat(*objects_, SelfName());
  }
  // Before the servers, which wait for its answers.
  if (forwarder_ != nullptr) {
    forwarder_->Stop();
  }
  server_.reset();
  peer_server_.reset();
  // The database is closed, or never came to be: then another gateway may have more luck with it.
  if (epoch_ != 0) {
    lease_->Release();
  }
}

std::string ClusterNode::SelfName() const {
  return JoinAddress(
      arguments_.peer_host.empty() ? HostOfClient(objects_->OwnAddress()) : arguments_.peer_host,
      port_);
}

std::string ClusterNode::LeaderAddress(bool fresh) {
  const auto now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  const auto last = leader_read_;
  if (!fresh || now - last < kLeaderReadAgain) {
    return leader_address_;
  }
  leader_wanted_ = true;
  wake_.notify_all();
  while (leader_read_ == last && !stopping_) {
    const auto left = now + kLeaderReadWait - std::chrono::steady_clock::now();
    if (left <= left.zero()) {
      break;
    }
    lock.WaitFor(leader_known_, left);
  }
  return leader_address_;
}

void ClusterNode::ReadLeader() {
  const auto state = cluster::ReadLease(*objects_);
  if (state && *state && leads_ && (*state)->epoch == epoch_) {
    hands_over_ = (*state)->AsksFor(SelfName());
  }
  const MutexLock lock(mutex_);
  leader_read_ = std::chrono::steady_clock::now();
  leader_known_.notify_all();
  // An error does not tell which gateway leads.
  if (state) {
    leader_address_ = *state && (*state)->leader ? (*state)->leader->address : "";
  }
}

void ClusterNode::Watch() {
  using std::chrono::steady_clock;
  const auto pause = std::chrono::milliseconds(arguments_.lease_ms) / kLooksPerLease;
  auto next = steady_clock::now();
  while (!stopping_) {
    {
      const MutexLock lock(mutex_);
      leader_wanted_ = false;
    }
    ReadLeader();
    if (steady_clock::now() >= next) {
      ReadClock();
      NoteHeartbeat();
      if (epoch_ == 0 && !stopping_) {
        LookForLead();
      }
      next = steady_clock::now() + pause;
    }
    MutexLock lock(mutex_);
    while (!stopping_ && !leader_wanted_ && steady_clock::now() < next) {
      lock.WaitFor(wake_, next - steady_clock::now());
    }
  }
}

void ClusterNode::LookForLead() {
  const auto taken = lease_->TryTake();
  if (!taken && clock_->MayLead()) {
    log_.Warning("cannot look for the leader", {{"reason", taken.error().message}});
  } else if (taken && *taken) {
    lease_->Keep([this](const std::string& reason) { BeginAnew(reason); });
    log_.Info("leads", {{"epoch", static_cast<std::int64_t>(**taken)}});
    epoch_ = **taken;
  }
}

// Says once what is wrong with the clock, and once that it is right again.
void ClusterNode::ReadClock() {
  const cluster::ObjectStatus read = clock_->Measure();
  const Status judged = clock_->MayLead();
  const bool is_right = read.ok() && judged;
  if (is_right == clock_is_right_) {
    return;
  }
  clock_is_right_ = is_right;
  if (is_right) {
    log_.Info("the clock agrees with the cluster's again");
  } else if (read.ok()) {
    log_.Error("the clock is wrong", {{"reason", judged.error().message}});
  } else {
    log_.Warning("the clock cannot be compared with the cluster's", {{"reason", read.what}});
  }
}

void ClusterNode::NoteHeartbeat() {
  (void)WriteHeartbeat(*objects_, {.gateway = SelfName(),
                                   .address = peer_address_,
                                   .leads = leads_,
                                   .time_ms = clock_->NowMs(),
                                   .load = LoadOfMachine(),
                                   .clock_ahead_ms = clock_->MachineAheadMs()});
}

std::optional<int> ClusterNode::WaitForLead(const sigset_t& stop_signals) {
  constexpr timespec kPause{0, 20'000'000};
  while (epoch_ == 0) {
    const int number = sigtimedwait(&stop_signals, nullptr, &kPause);
    if (number > 0) {
      return number;
    }
  }
  return std::nullopt;
}

Result<std::unique_ptr<Database>> ClusterNode::OpenDatabase(const Options& options) {
  std::vector<std::string> features = engine::StoredFeatures();
  features.emplace_back("access");
  PJ_ASSIGN_OR_RETURN(auto store, cluster::OpenSharedStore(
                                      *objects_, {.epoch = epoch_,
                                                  .block_cache_bytes = options.block_cache_bytes,
                                                  .known_features = features}));
  PJ_ASSIGN_OR_RETURN(auto engine, engine::Engine::OpenOn(std::move(store), options, *clock_));
  return engine::DatabaseOn(std::move(engine));
}

Result<std::unique_ptr<server::Server>> ClusterNode::Lead(server::Handler& handler,
                                                          Database& database) {
  lease_->WatchHealth(
      [&store = engine::EngineOf(database).store()] { return cluster::LeadHealth(store); });
  gateway_->Lead(handler);
  peers_->Lead(handler);
  leads_ = true;
  NoteHeartbeat();
  return TakeServer();
}

void ClusterNode::StopPeers(std::chrono::milliseconds timeout) {
  lease_->WatchHealth({});
  (void)peer_server_->Shutdown(timeout);
}

void ClusterNode::HandOver() {
  leads_ = false;
  const auto begin_anew = [this] { BeginAnew("handing the lead to another gateway"); };
  RunAtMost(
      kLeaveTime, [this] { lease_->Release(); }, begin_anew);
  begin_anew();
}

void ClusterNode::End(std::unique_ptr<ClusterNode> node) {
  node->leads_ = false;
  const auto leave = [&node] {
    if (node->epoch_ != 0) {
      node->lease_->Release();  // First: others wait for it.
    }
    node.reset();
  };
  RunAtMost(kLeaveTime, leave, [] { std::_Exit(kFine); });
}

void ClusterNode::Leave() {
  leaves_ = true;
  if (forwarder_ != nullptr) {
    forwarder_->EndSoon();
  }
}

void ClusterNode::BeginAnew(const std::string& reason) {
  if (leaves_) {
    log_.Error("stopped leading before everything was closed", {{"reason", reason}});
    std::_Exit(kAnswerIsNo);
  }
  log_.Warning("lost the lead, restarting", {{"reason", reason}});
  std::vector<std::string> arguments = OwnArguments(port_);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) {
    pointers.push_back(argument.data());
  }
  pointers.push_back(nullptr);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  // Linux refuses to start a thread while another one executes a program, and who wants one then
  // throws or aborts. It must not take the process with it: it stands still until it is gone.
  std::set_terminate([] { StandStill(SIGABRT); });
  signal(SIGABRT, StandStill);
  execv("/proc/self/exe", pointers.data());
  _exit(1);
}

}  // namespace prejoin::cli
