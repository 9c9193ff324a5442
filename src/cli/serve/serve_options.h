#ifndef PREJOIN_CLI_SERVE_SERVE_OPTIONS_H_
#define PREJOIN_CLI_SERVE_SERVE_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/access/serve_access.h"
#include "cli/access/tls_arguments.h"
#include "cli/cluster/cluster_node.h"
#include "cli/model_file.h"
#include "prejoin/database.h"
#include "server/guard.h"
#include "server/log.h"
#include "server/server.h"
#include "studio/remote.h"

namespace prejoin::cli {

struct ServeArguments {
  server::ServerOptions server;
  Options database;
  bool memory = false;
  std::string bucket_root;
  server::LogLevel log_level = server::LogLevel::kInfo;
  std::string model;  // Path of a model file; empty: none.
  std::string index_lag;
  std::string texts;
  std::string physics;
  std::string states;
  std::string stale_reads;
  std::string latency;
  std::string faults;  // A file of rules; empty: none.
  bool like_aws = false;
  std::string clock_kind;
  std::shared_ptr<VirtualClock> clock;  // Null: the machine's.
  server::GuardOptions guard;
  TlsArguments tls;
  bool mcp = false;
  PriceArguments prices;
  AccessArguments access;
  int shutdown_timeout_s = 30;
  std::size_t cache_mb = 0;
  bool separate_regions = false;
  std::string replication_lag_text;  // As given; empty: it was not.
  IndexLag replication_lag;
  bool sandbox = true;
  bool namespaces = false;
  bool compat = false;            // Answers as DynamoDB Local where the two differ.
  bool exit_with_parent = false;  // When standard input ends.
  ClusterArguments cluster;
  studio::RemoteOptions remote;      // `prejoin studio`: whose tables the page shows.
  std::vector<std::string> framers;  // Origins whose pages may show cards of the studio.
};

// The options of `prejoin serve`, with their defaults.
void AddServeOptions(CLI::App& verb, ServeArguments& arguments);

// How long transactions conflict with others, by the text of --latency. Nullopt: no latency is added.
std::optional<int> ConflictMs(std::string_view latency);

// The options that --like-aws turns on unless they are given explicitly.
void ApplyLikeAws(ServeArguments& arguments);

// The contradiction between options; empty if they go together.
std::string RefusalOf(const ServeArguments& arguments);

std::size_t DefaultCacheBytes();

bool IsLoopbackHost(const std::string& host);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_SERVE_OPTIONS_H_
