// `prejoin serve`: the database behind the DynamoDB HTTP API.
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/cluster/cluster_node.h"
#include "cli/cluster/stoppable.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/serve/account_services.h"
#include "cli/serve/model_worker.h"
#include "cli/serve/parent.h"
#include "cli/serve/private_files.h"
#include "cli/serve/serve_options.h"
#include "cli/serve/service_manager.h"
#include "cli/serve/writable_folder.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "client/signing_identity.h"
#include "engine/engine_of.h"
#include "model/check/check.h"
#include "prejoin/clock.h"
#include "prejoin/database.h"
#include "process/sandbox.h"
#include "server/dispatch.h"
#include "server/dynamodb_endpoint.h"
#include "server/engine_backend.h"
#include "server/http/open_files.h"
#include "server/http/tls_context.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/namespace_backends.h"
#include "server/region_backends.h"
#include "server/replication_route.h"
#include "server/server.h"
#include "embedded/embedded_file.h"
#include "studio/load_model.h"
#include "studio/model_file.h"
#include "studio/page.h"
#include "studio/remote.h"

namespace prejoin::cli {
namespace {

// Says it under the name of the verb that was asked for: `studio` serves too.
ExitCode CannotServe(const ServeArguments& arguments, const std::string& message) {
  std::fprintf(stderr, "prejoin %s: %s\n", arguments.remote.url.empty() ? "serve" : "studio",
               message.c_str());
  return kCouldNotRun;
}

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Without TLS a SIGHUP ends the program, as it ends others whose terminal goes away.
sigset_t HandledSignals(bool has_tls) {
  sigset_t signals = StopSignals();
  if (has_tls) {
    sigaddset(&signals, SIGHUP);
  }
  return signals;
}

// Blocked here, before any thread starts, so that they all inherit it and only WaitForStop hears.
void BlockSignals(bool has_tls) {
  const sigset_t signals = HandledSignals(has_tls);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

// No signal, but the wish that another gateway leads.
constexpr int kHandOver = 0;

// The signal that ends this process, or kHandOver.
int WaitForStop(server::TlsContext* tls, server::Log& log, const ClusterNode* node) {
  constexpr timespec kLookAgain{0, 100'000'000};
  const sigset_t signals = HandledSignals(tls != nullptr);
  while (true) {
    const int number = sigtimedwait(&signals, nullptr, node != nullptr ? &kLookAgain : nullptr);
    if (number < 0) {
      if (node != nullptr && node->hands_over()) {
        return kHandOver;
      }
      continue;
    }
    if (number != SIGHUP) {
      return number;
    }
    if (const Status reloaded = tls->Reload(); !reloaded) {
      log.Error("keeping the current certificate", {{"reason", reloaded.error().message}});
    } else {
      log.Info("certificate reloaded");
    }
  }
}

// From now on a second signal ends the process at once.
void LetNextStopSignalKill() {
  struct sigaction action {};
  action.sa_handler = [](int) { _exit(kAnswerIsNo); };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// The lines that DynamoDB Local starts with; some tools wait for the first one.
void AnnounceAsLocal(const ServeArguments& arguments, std::uint16_t port) {
  std::printf(
      "Initializing DynamoDB Local with the following configuration:\nPort:\t%d\nInMemory:\t%s\n"
      "Version:\t%s\nDbPath:\t%s\nSharedDb:\t%s\n\n",
      port, arguments.memory ? "true" : "false", Version(),
      arguments.memory ? "null" : arguments.database.path.c_str(),
      arguments.separate_regions ? "false" : "true");
}

void Announce(const ServeArguments& arguments, Auth auth, std::uint16_t port,
              const std::vector<studio::LoadedTable>& tables) {
  const std::string& host = arguments.server.host;
  const std::string shown = host == "localhost"                   ? "127.0.0.1"
                            : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                  : host;
  const std::string url = (arguments.server.tls != nullptr ? "https://" : "http://") + shown + ":" +
                          std::to_string(port);
  if (arguments.compat) {
    AnnounceAsLocal(arguments, port);
  }
  std::printf("prejoin listening on %s\n", url.c_str());
  if (arguments.server.tls != nullptr && !arguments.server.tls->authority_path().empty()) {
    std::printf("clients trust %s\n", arguments.server.tls->authority_path().c_str());
  }
  if (auth != Auth::kOff) {
    std::printf("signatures are verified%s\n",
                auth == Auth::kRequired ? " and policies enforced" : "");
  }
  if (!embedded::PageFiles().empty()) {
    std::printf("studio on %s/studio/%s\n", url.c_str(),
                auth != Auth::kOff ? ", which asks for an access key" : "");
  }
  if (auth == Auth::kOff && !IsLoopbackHost(host)) {
    std::printf(
        "open to the network: anyone who can reach this port can read and change every table, "
        "because signatures are not verified\n");
  }
  for (const studio::LoadedTable& table : tables) {
    if (table.created) {
      std::printf("table %s: created, %zu items\n", table.name.c_str(), table.items);
    } else {
      std::printf("table %s: exists already\n", table.name.c_str());
    }
  }
  std::fflush(stdout);
  TellServiceManager("READY=1");
}

// Opens the model file, if one was named, and fills its tables. False, and a message on stderr, if
// that cannot be done.
bool OpenModel(const ServeArguments& arguments, Database& database,
               std::unique_ptr<studio::ModelFile>& file, std::vector<studio::LoadedTable>& tables) {
  if (arguments.model.empty()) {
    return true;
  }
  const auto say = [&arguments](const Error& error) {
    CannotServe(arguments, error.message);
    return false;
  };
  auto opened = studio::ModelFile::Open(arguments.model);
  if (!opened) {
    return say(opened.error());
  }
  file = *std::move(opened);
  const auto contents = file->Read();
  if (!contents) {
    return say(contents.error());
  }
  const model::ReadModelResult read = model::ReadModel(contents->source);
  const std::vector<model::Diagnostic> findings = model::CheckModel(read);
  if (model::HasErrors(findings)) {
    for (const model::Diagnostic& finding : findings) {
      if (finding.severity != model::Severity::kError) {
        continue;
      }
      std::fputs(model::RenderDiagnostic(arguments.model, contents->source, finding).c_str(),
                 stderr);
    }
    CannotServe(arguments, "the model has errors; nothing was changed");
    return false;
  }
  auto loaded = studio::LoadModel(
      read.model, database, [&](const std::string& table, const std::vector<Item>& items) {
        return LoadUnmetered(database, table, items);
      });
  if (!loaded) {
    return say(loaded.error());
  }
  tables = *std::move(loaded);
  return true;
}

// `number`: as WaitForStop gave it.
ExitCode Stop(int number, std::unique_ptr<server::Server> running,
              const std::function<void()>& stop_backends, std::unique_ptr<Database> database,
              const ServeArguments& arguments, server::Log& log,
              std::unique_ptr<ClusterNode> node) {
  if (number == kHandOver) {
    log.Info("handing over the lead");
  } else {
    log.Info("stopping", {{"signal", number}});
    TellServiceManager("STOPPING=1");
    LetNextStopSignalKill();
    if (node != nullptr) {
      node->Leave();
    }
  }
  if (!running->Shutdown(std::chrono::seconds(arguments.shutdown_timeout_s))) {
    log.Error("requests were still waiting for the disk when the shutdown timeout ended");
    if (number == kHandOver) {
      node->BeginAnew("requests did not end in time");
    }
    // The server cannot be destroyed while they wait, and they may wait for ever. Acknowledged writes are
    // durable.
    std::_Exit(kAnswerIsNo);
  }
  running.reset();
  if (node != nullptr) {
    node->StopPeers(std::chrono::seconds(arguments.shutdown_timeout_s));
  }
  stop_backends();
  database.reset();
  if (number == kHandOver) {
    node->HandOver();
  }
  if (node != nullptr) {
    ClusterNode::End(std::move(node));
  }
  log.Info("stopped");
  return kFine;
}

// Lets the page ask another server through this one; null in `remote` if there is none.
Status AddRemote(const ServeArguments& arguments, server::Dispatch& dispatch,
                 std::unique_ptr<studio::Remote>& remote) {
  if (arguments.remote.url.empty()) {
    studio::AddNoRemote(dispatch);
    return {};
  }
  PJ_ASSIGN_OR_RETURN(remote, studio::Remote::Open(arguments.remote, arguments.guard.host_names));
  remote->AddRoutes(dispatch);
  return {};
}

// Answers and bodies of megabytes go back to the system when they are freed. Left to itself, the
// allocator soon keeps them in its arenas, where a few small blocks between them hold on to twice
// the memory that all clients together may have.
void ReturnLargeBlocks() {
  constexpr int kLargeBytes = 2 * 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
}

std::string NameOfStore(const ServeArguments& arguments) {
  if (arguments.memory) {
    return "memory";
  }
  return arguments.cluster.configuration.empty() ? arguments.database.path
                                                 : "cluster " + arguments.cluster.name;
}

// Makes this process a gateway, if a cluster was named, and waits until it leads. The exit code, if it
// ends before.
std::optional<ExitCode> JoinCluster(const ServeArguments& arguments, server::Metrics& metrics,
                                    server::Log& log, std::unique_ptr<ClusterNode>& node) {
  if (arguments.cluster.configuration.empty()) {
    return std::nullopt;
  }
  Status started;
  RunUntilStopped(StopSignals(), log, [&] {
    auto made = ClusterNode::Start(arguments.cluster, arguments.server, metrics, log);
    if (made) {
      node = *std::move(made);
    }
    if (!made) {
      started = made.error();
    }
  });
  if (!started) {
    return CannotServe(arguments, started.error().message);
  }
  const Auth auth = EffectiveAuth(arguments.access, IsLoopbackHost(arguments.server.host));
  Announce(arguments, auth, node->port(), {});
  const auto number = node->WaitForLead(StopSignals());
  if (!number) {
    return std::nullopt;
  }
  log.Info("stopping", {{"signal", *number}});
  LetNextStopSignalKill();
  node->Leave();
  const bool ended =
      node->TakeServer()->Shutdown(std::chrono::seconds(arguments.shutdown_timeout_s));
  if (!ended) {
    std::_Exit(kAnswerIsNo);  // As Stop does.
  }
  ClusterNode::End(std::move(node));
  return kFine;
}

// Before any thread starts, because one that runs already would stay as it is. On RADOS, Ceph's
// library writes files of its own. A save of the model writes a new file beside the old one.
Status ConfineWrites(const ServeArguments& arguments) {
  if (!arguments.sandbox || !arguments.cluster.configuration.empty()) {
    return {};
  }
  std::vector<std::string> places = WritablePlaces(arguments.access, arguments.database);
  places.insert(places.end(), {arguments.database.path, arguments.bucket_root,
                               RenewedFolder(arguments.server.tls)});
  if (!arguments.model.empty()) {
    places.push_back(std::filesystem::absolute(arguments.model).parent_path());
  }
  PJ_ASSIGN_OR_RETURN([[maybe_unused]] const auto confined, process::ConfineWritesTo(places));
  return {};
}

// A gateway has announced itself already, when it joined its cluster.
void TellStarted(const ServeArguments& arguments, Auth auth, std::uint16_t port,
                 const std::vector<studio::LoadedTable>& tables, server::Log& log) {
  if (arguments.cluster.configuration.empty()) {
    Announce(arguments, auth, port, tables);
  }
  if (arguments.exit_with_parent) {
    StopWithParent();
  }
  log.Info("started", {{"version", Version()}, {"port", port}, {"store", NameOfStore(arguments)}});
}

// Prepares the process before its first thread starts. Returns the TLS context; null without TLS.
Result<std::unique_ptr<server::TlsContext>> PrepareProcess(ServeArguments& arguments) {
  ReturnLargeBlocks();
  server::RaiseOpenFileLimit();
  KeepFilesPrivate();
  PJ_RETURN_IF_ERROR(CheckWritable(arguments.database.path));
  arguments.guard.host_names.push_back(arguments.server.host);
  PJ_ASSIGN_OR_RETURN(auto tls,
                      OpenTls(arguments.tls, arguments.memory ? "" : arguments.database.path,
                              arguments.guard.host_names));
  arguments.server.tls = tls.get();
  BlockSignals(tls != nullptr);
  if (const Status confined = ConfineWrites(arguments); !confined) {
    return Error{confined.error().code, confined.error().message + "; start with --no-sandbox"};
  }
  return tls;
}

// The page of the studio, and the guard against pages of others.
void AddPages(ServeArguments& arguments, server::Dispatch& dispatch) {
  studio::AddPage(dispatch, embedded::PageFiles(), arguments.framers);
  arguments.guard.container_names = !IsLoopbackHost(arguments.server.host);
  dispatch.GuardWith(server::Guard(arguments.guard));
  if (arguments.compat) {
    dispatch.RefuseUnsignedRoot();
  }
}

// The databases that a request can be for: the server's own, that of a region and account, or a fork for a test.
class ServedBackends {
 public:
  // All outlive this object.
  ServedBackends(const ServeArguments& arguments, server::EngineBackend& own,
                 engine::Engine& engine, server::Log& log)
      : arguments_(arguments),
        own_(own),
        regions_(own, arguments.database, arguments.bucket_root, log, arguments.replication_lag),
        namespaces_(own, engine) {}

  Status Open() { return arguments_.separate_regions ? regions_.OpenExisting() : Status(); }
  server::OperationBackend& Front() {
    if (arguments_.separate_regions) {
      return regions_;
    }
    return arguments_.namespaces ? static_cast<server::OperationBackend&>(namespaces_) : own_;
  }
  void AddRoutes(server::Dispatch& dispatch) {
    if (arguments_.namespaces) {
      namespaces_.AddRoutes(dispatch);
    }
    if (arguments_.separate_regions) {
      server::AddReplicationRoutes(dispatch, regions_.group());
    }
  }
  void Stop() {
    namespaces_.Stop();
    regions_.Stop();
    own_.Stop();
  }

 private:
  const ServeArguments& arguments_;
  server::EngineBackend& own_;
  server::RegionBackends regions_;
  server::NamespaceBackends namespaces_;
};

ExitCode Serve(ServeArguments arguments) {
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  const auto tls = PrepareProcess(arguments);
  if (!tls) {
    return CannotServe(arguments, tls.error().message);
  }
  server::Log log(STDERR_FILENO, arguments.log_level, Clock::System());
  server::Metrics metrics(server::EngineBackend::OperationNamesOfAll());
  std::unique_ptr<ClusterNode> node;
  if (const auto ended = JoinCluster(arguments, metrics, log, node)) {
    return *ended;
  }
  auto database =
      node ? node->OpenDatabase(arguments.database) : Database::Open(arguments.database);
  if (!database) {
    return CannotServe(arguments, database.error().message);
  }
  std::unique_ptr<studio::ModelFile> model_file;
  std::vector<studio::LoadedTable> tables;
  if (!OpenModel(arguments, **database, model_file, tables)) {
    return kCouldNotRun;
  }
  server::EngineBackend backend(engine::EngineOf(**database), arguments.bucket_root);
  backend.AddGauges(metrics);
  backend.LogFaults(log);
  if (node) {
    backend.KeepOffLoops();
  }
  ServedBackends served(arguments, backend, engine::EngineOf(**database), log);
  if (const Status opened = served.Open(); !opened) {
    return CannotServe(arguments, opened.error().message);
  }
  const Auth auth = EffectiveAuth(arguments.access, IsLoopbackHost(arguments.server.host));
  const auto access = OpenServeAccess(arguments.access, auth, arguments.database, **database,
                                      arguments.server.tls != nullptr, log, metrics);
  if (!access) {
    return CannotServe(arguments, access.error().message);
  }
  server::DynamoDbEndpoint endpoint(served.Front(), log, access->gatekeeper.get());
  server::Dispatch dispatch(endpoint, metrics);
  dispatch.AdmitWith(access->gatekeeper.get());
  AddPages(arguments, dispatch);
  ModelServices model_services(*prices, metrics, log, served.Front());
  model_services.AddTo(dispatch, model_file.get(), arguments.guard.host_names, arguments.mcp);
  AccountServices account(arguments, backend, **database);
  if (const Status added = account.AddTo(dispatch, endpoint); !added) {
    return CannotServe(arguments, added.error().message);
  }
  served.AddRoutes(dispatch);
  std::unique_ptr<studio::Remote> remote;
  if (const Status opened = AddRemote(arguments, dispatch, remote); !opened) {
    return CannotServe(arguments, opened.error().message);
  }
  auto running = node ? node->Lead(dispatch, **database)
                      : server::Server::Start(arguments.server, dispatch, metrics, log);
  if (!running) {
    return CannotServe(arguments, running.error().message);
  }
  TellStarted(arguments, auth, (*running)->port(), tables, log);
  const int number = WaitForStop(tls->get(), log, node.get());
  account.Stop();
  model_services.Stop();  // A proof that nobody will see the end of is no reason to wait.
  return Stop(
      number, *std::move(running), [&] { served.Stop(); }, *std::move(database), arguments, log,
      std::move(node));
}

ExitCode ServeStudio(const ServeArguments& arguments) { return Serve(arguments); }

}  // namespace

void AddServe(CLI::App& program, ExitCode& exit_code) {
  auto* verb = program.add_subcommand("serve", "Serve the DynamoDB API over HTTP.");
  verb->footer(
      "Examples:\n  prejoin serve --memory\n  prejoin serve --memory --model school.prejoin\n"
      "  prejoin serve --data ./data --port 8000 --host 0.0.0.0\n");
  auto arguments = std::make_shared<ServeArguments>();
  AddServeOptions(*verb, *arguments);
  verb->callback([arguments, &exit_code] {
    ApplyLikeAws(*arguments);
    if (const std::string refusal = RefusalOf(*arguments); !refusal.empty()) {
      exit_code = CannotServe(*arguments, refusal);
      return;
    }
    arguments->database.block_cache_bytes =
        arguments->cache_mb > 0 ? arguments->cache_mb << 20 : DefaultCacheBytes();
    exit_code = Serve(*arguments);
  });
}

void AddStudio(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, ServeStudio,
      {"studio", "Open the studio on the tables of another server.",
       "Examples:\n  prejoin studio --endpoint https://dynamodb.eu-central-1.amazonaws.com\n"
       "  prejoin studio --endpoint http://127.0.0.1:8000 --write\n"});
  arguments->memory = true;
  arguments->log_level = server::LogLevel::kWarning;
  arguments->server.host =
      "localhost";  // A caller that reaches the port acts with these credentials.
  arguments->server.port = 8001;
  verb->add_option("--endpoint", arguments->remote.url,
                   "Endpoint of AWS, DynamoDB Local or any other server. Credentials come from the "
                   "environment and stay in this process")
      ->required();
  verb->add_option("--region", arguments->remote.region, client::kRegionHelp);
  verb->add_flag("--write", arguments->remote.writes,
                 "Allow the page to change tables. Default: read only");
  verb->add_option("--port", arguments->server.port, "Port to listen on; 0 picks a free one")
      ->capture_default_str();
  verb->add_option("--model", arguments->model, "Model file that describes the tables")
      ->check(CLI::ExistingFile);
}

}  // namespace prejoin::cli
