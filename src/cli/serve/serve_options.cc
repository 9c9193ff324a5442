#include "cli/serve/serve_options.h"

#include <unistd.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "cli/new_verb.h"
#include "prejoin/physics.h"
#include "studio/page.h"

namespace prejoin::cli {
namespace {

constexpr unsigned kIndexLagMsMax = 3'600'000;

// "250" or "random:50-500".
std::optional<IndexLag> ParseIndexLag(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<unsigned> {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    return whole && value <= kIndexLagMsMax ? std::optional(value) : std::nullopt;
  };
  constexpr std::string_view kRandom = "random:";
  if (!text.starts_with(kRandom)) {
    const auto lag = number(text);
    return lag ? std::optional(IndexLag{*lag, *lag}) : std::nullopt;
  }
  text.remove_prefix(kRandom.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto low = number(text.substr(0, dash));
  const auto high = number(text.substr(dash + 1));
  return low && high && *low <= *high ? std::optional(IndexLag{*low, *high}) : std::nullopt;
}

// Work that goes on beside the requests.
void AddBackgroundOptions(CLI::App& verb, ServeArguments& arguments) {
  verb.add_option("--ttl-sweep-seconds", arguments.database.ttl_sweep_seconds,
                  "Seconds between sweeps for expired items")
      ->check(PositiveNumber())
      ->capture_default_str();
  verb.add_option("--index-lag", arguments.index_lag,
                  "Delay in milliseconds before a GSI shows a write; 0 means none. random:MIN-MAX "
                  "draws a delay for each write")
      ->option_text("MS|random:MIN-MAX [0]")
      ->check([&arguments](const std::string& text) {
        const auto lag = ParseIndexLag(text);
        if (lag) {
          arguments.database.index_lag = *lag;
        }
        return lag ? std::string()
                   : "expected milliseconds up to 3600000, or random:MIN-MAX, not " + text;
      });
}

void AddTextsOption(CLI::App& verb, ServeArguments& arguments) {
  verb.add_option("--texts", arguments.texts,
                  "Error texts where AWS's regions differ: 2026-10, those of most regions in October "
                  "2026, or newest, those that the first regions have changed to since")
      ->option_text("2026-10|newest [2026-10]")
      ->check([&arguments](const std::string& text) {
        if (text != "2026-10" && text != "newest") {
          return "expected 2026-10 or newest, not " + text;
        }
        arguments.database.texts = text == "newest" ? Texts::kNewest : Texts::k2026October;
        return std::string();
      });
}

// `parse` reads the text; "off" sets nothing.
template <class Chosen>
auto ParsedInto(std::optional<Chosen>& chosen, Result<Chosen> (*parse)(std::string_view)) {
  return [&chosen, parse](const std::string& text) {
    chosen.reset();
    if (text == "off") {
      return std::string();
    }
    auto parsed = parse(text);
    if (parsed) {
      chosen = *parsed;
    }
    return parsed ? std::string() : parsed.error().message;
  };
}

}  // namespace

std::optional<int> ConflictMs(std::string_view latency) {
  constexpr int kDefaultMs = 10;
  constexpr int kMax = 60'000;
  if (latency == "aws") {
    return kDefaultMs;
  }
  constexpr std::string_view kPrefix = "aws,conflict-ms=";
  if (!latency.starts_with(kPrefix)) {
    return std::nullopt;
  }
  latency.remove_prefix(kPrefix.size());
  int milliseconds = 0;
  const auto [end, error] =
      std::from_chars(latency.data(), latency.data() + latency.size(), milliseconds);
  const bool whole = error == std::errc() && end == latency.data() + latency.size();
  return whole && milliseconds >= 0 && milliseconds <= kMax ? std::optional(milliseconds) : std::nullopt;
}

namespace {

// States, stale reads, latency and faults.
void AddAccountOptions(CLI::App& verb, ServeArguments& arguments) {
  verb.add_option("--states", arguments.states,
                  "States such as CREATING and UPDATING last, as on AWS. aws,NAME=SECONDS changes "
                  "one (docs/physics.md)")
      ->option_text("off|aws[,NAME=SECONDS...] [off]")
      ->check(ParsedInto(arguments.database.states, ParseStates));
  verb.add_option("--stale-reads", arguments.stale_reads,
                  "Eventually consistent reads may miss a write that is some milliseconds old. "
                  "aws,NAME=VALUE changes how long (docs/physics.md)")
      ->option_text("off|aws[,NAME=VALUE...] [off]")
      ->check(ParsedInto(arguments.database.stale_reads, ParseStaleReads));
  verb.add_option("--latency", arguments.latency,
                  "Add AWS's latency to each answer (aws), or add nothing (none). With --physics, "
                  "transactions conflict while they run, for conflict-ms [10]")
      ->option_text("none|aws[,conflict-ms=N] [none]")
      ->check([](const std::string& text) {
        return text == "none" || ConflictMs(text)
                   ? std::string()
                   : "expected none, aws or aws,conflict-ms=N with milliseconds up to 60000, not " + text;
      });
  verb.add_option("--faults", arguments.faults,
                  "File of faults to inject: errors, timeouts, dropped connections, throttles, a "
                  "lost region (docs/physics.md)")
      ->check(CLI::ExistingFile);
  verb.add_flag(
      "--like-aws", arguments.like_aws,
      "Behave as a real account: --physics aws, --states aws, --stale-reads aws, --latency "
      "aws, --index-lag random:10-200 and --replication-lag random:100-900, unless these "
      "options say otherwise");
}

// The limits and the time of a real account.
void AddPhysicsOptions(CLI::App& verb, ServeArguments& arguments) {
  verb.add_option("--physics", arguments.physics,
                  "Throttle as AWS does: partitions, burst, adaptive and on-demand capacity, "
                  "quotas. aws,NAME=VALUE changes a limit (docs/physics.md)")
      ->option_text("off|aws[,NAME=VALUE...] [off]")
      ->check([&arguments](const std::string& text) {
        if (text == "off") {
          arguments.database.physics.reset();
          return std::string();
        }
        auto physics = ParsePhysics(text);
        if (physics) {
          arguments.database.physics = *physics;
        }
        return physics ? std::string() : physics.error().message;
      });
  AddAccountOptions(verb, arguments);
  verb.add_option("--clock", arguments.clock_kind,
                  "Time of the tables: the machine's (system), or a clock that only POST /clock "
                  "moves (virtual)")
      ->option_text("system|virtual [system]")
      ->check([&arguments](const std::string& text) {
        if (text == "virtual") {
          arguments.clock = std::make_shared<VirtualClock>(Clock::System().NowMs());
        } else if (text == "system") {
          arguments.clock.reset();
        } else {
          return "expected system or virtual, not " + text;
        }
        arguments.database.clock = arguments.clock.get();
        return std::string();
      });
}

// Names in ARNs, who may ask, and whether the connection is encrypted.
void AddAccessOptions(CLI::App& verb, ServeArguments& arguments) {
  verb.add_option("--allow-host,--studio-host", arguments.guard.host_names,
                  "Additional host name of this server. Requests for other names are refused, "
                  "which stops DNS rebinding");
  verb.add_option("--allow-origin", arguments.guard.origins,
                  "Origin, such as https://app.example, whose pages may call the API; * allows "
                  "all. Pages served from this machine are always allowed");
  verb.add_option("--allow-embed", arguments.framers,
                  "Origin, such as https://blog.example, that may embed studio cards in a frame; * "
                  "allows all")
      ->check([](const std::string& text) {
        return studio::CanFrame(text)
                   ? std::string()
                   : "expected an origin such as https://blog.example, not " + text;
      });
  AddTlsOptions(verb, arguments.tls);
  verb.add_flag("--mcp", arguments.mcp,
                "Serve read-only tools for AI assistants at /mcp (Model Context Protocol)");
  verb.add_option("--region", arguments.database.region, "Region in ARNs")->capture_default_str();
  verb.add_option("--account", arguments.database.account_id, "Account in ARNs")
      ->capture_default_str();
  verb.add_flag(
      "--separate-regions,!--shared-regions", arguments.separate_regions,
      "Keep a separate set of tables for each region and account in the request's credentials");
  verb.add_option("--replication-lag", arguments.replication_lag_text,
                  "Delay in milliseconds before replicas of a table in other regions get a write. "
                  "random:MIN-MAX draws a delay for each write")
      ->option_text("MS|random:MIN-MAX [0]")
      ->check([&arguments](const std::string& text) {
        const auto lag = ParseIndexLag(text);
        if (lag) {
          arguments.replication_lag = *lag;
        }
        return lag ? std::string()
                   : "expected milliseconds up to 3600000, or random:MIN-MAX, not " + text;
      });
}

}  // namespace

void ApplyLikeAws(ServeArguments& arguments) {
  if (!arguments.like_aws) {
    return;
  }
  Options& database = arguments.database;
  if (arguments.physics.empty()) {
    database.physics = PhysicsOptions();
  }
  if (arguments.states.empty()) {
    database.states = StateOptions();
  }
  if (arguments.stale_reads.empty()) {
    database.stale_reads = StaleReadOptions();
  }
  if (arguments.latency.empty()) {
    arguments.latency = "aws";
  }
  if (arguments.index_lag.empty()) {
    database.index_lag = {10, 200};
  }
  if (arguments.replication_lag_text.empty()) {
    arguments.replication_lag = {100, 900};
  }
}

// A quarter of the machine: enough to keep a table of some million items at hand, and the rest for
// the files' own cache. Taken as blocks are read, not at the start.
std::size_t DefaultCacheBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) {
    return Options().block_cache_bytes;
  }
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes) / 4;
}

bool IsLoopbackHost(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string RefusalOf(const ServeArguments& arguments) {
  const bool shared = !arguments.cluster.configuration.empty();
  const bool local = arguments.memory || !arguments.database.path.empty();
  if (!shared && !local) {
    return "choose where the data is stored: --data DIR (durable), --memory or --rados CEPH_CONF";
  }
  const Auth auth = EffectiveAuth(arguments.access, IsLoopbackHost(arguments.server.host));
  // It asks for nobody in particular, so it stays away where somebody must be asked for.
  if (arguments.mcp && auth != Auth::kOff) {
    return "--mcp serves unsigned reads: leave it out, or use --auth off";
  }
  // Nobody is identified then, and the log would stay empty.
  if (!arguments.access.audit.path.empty() && auth == Auth::kOff) {
    return "--audit-log records who made each request: add --auth verify or --auth required";
  }
  if (arguments.namespaces &&
      (!arguments.memory || arguments.separate_regions || auth != Auth::kOff)) {
    return "--namespaces requires --memory and --auth off, and excludes --separate-regions";
  }
  if (arguments.database.cells > 1 && (shared || arguments.namespaces || arguments.separate_regions)) {
    return "--cells is not for --rados, --namespaces and --separate-regions";
  }
  if (arguments.database.cells > 1 && arguments.database.sync == Sync::kNone && !arguments.memory) {
    return "--cells needs --sync always: without it, the logs of the cells would end at different "
           "moments after a crash of the machine";
  }
  if (!arguments.replication_lag_text.empty() && !arguments.separate_regions) {
    return "--replication-lag requires --separate-regions: replicas are tables of other regions";
  }
  // Policies of tables are looked up in one database, and an access key may be sent to another.
  if (arguments.separate_regions && auth != Auth::kOff) {
    return "--separate-regions requires --auth off: users, roles and policies belong to one region "
           "and account";
  }
  if (!shared) {
    return {};
  }
  if (local) {
    return "choose one of --rados, --data and --memory";
  }
  if (arguments.clock != nullptr || arguments.database.physics || arguments.database.states ||
      arguments.database.stale_reads) {
    return "--clock virtual, --physics, --states and --stale-reads require --data or --memory";
  }
  if (arguments.database.sync == Sync::kNone) {
    return "--sync none is for --data: with --rados a write is acknowledged when it is in its log";
  }
  if (arguments.separate_regions) {
    return "--separate-regions is not for --rados";
  }
  if (auth != Auth::kOff && arguments.access.key_file.empty()) {
    return "--rados with --auth needs --key-file, the same for all gateways";
  }
  return {};
}

namespace {

// The place of the data.
void AddStoreOptions(CLI::App& verb, ServeArguments& arguments) {
  auto* data =
      verb.add_option("--data", arguments.database.path, "Data directory; created if missing");
  auto* memory = verb.add_flag("--memory", arguments.memory,
                               "Keep all data in memory; it is lost when the server stops");
  data->excludes(memory);
  verb.add_option("--cells", arguments.database.cells,
                  "Spread the data over this many stores in one process, each with a log of its own; "
                  "fixed when the database is made (docs/scale-out.md)")
      ->option_text("1|2|4|8|16");
}

}  // namespace

void AddServeOptions(CLI::App& verb, ServeArguments& arguments) {
  arguments.server.port = 8000;
  verb.add_option("--port", arguments.server.port, "Port to listen on; 0 picks a free one")
      ->capture_default_str();
  arguments.server.host = "localhost";
  verb.add_option("--host", arguments.server.host,
                  "Address to listen on; localhost is 127.0.0.1 and ::1")
      ->capture_default_str();
  AddStoreOptions(verb, arguments);
  AddClusterOptions(verb, arguments.cluster);
  verb.add_option("--s3", arguments.bucket_root,
                  "Directory that simulates S3 in imports and exports: DIR/BUCKET/KEY")
      ->check(CLI::ExistingDirectory);
  verb.add_option(
          "--sync", arguments.database.sync,
          "Acknowledge writes after their log is synced to disk (always) or immediately (none)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Sync>{{"always", Sync::kAlways}, {"none", Sync::kNone}}))
      ->default_str("always")
      ->option_text("always|none [always]");
  verb.add_option("--threads", arguments.server.threads, "Number of threads; 0 means one per core")
      ->check(CLI::Range(0, 1024))
      ->option_text("N [0]")
      ->capture_default_str();
  verb.add_option("--max-connections", arguments.server.connections_max,
                  "Maximum number of connections; 0 means as many as the open-file limit allows")
      ->capture_default_str();
  verb.add_option("--log-level", arguments.log_level, "Lowest level that is logged")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, server::LogLevel>{{"debug", server::LogLevel::kDebug},
                                                  {"info", server::LogLevel::kInfo},
                                                  {"warning", server::LogLevel::kWarning},
                                                  {"error", server::LogLevel::kError},
                                                  {"off", server::LogLevel::kOff}}))
      ->default_str("info")
      ->option_text("debug|info|warning|error|off [info]");
  verb.add_option("--cache-mb", arguments.cache_mb,
                  "Block cache in MB; 0 means a quarter of the machine's memory")
      ->capture_default_str();
  verb.add_option("--shutdown-timeout", arguments.shutdown_timeout_s,
                  "Seconds to wait for requests in flight at shutdown")
      ->check(NonNegativeNumber())
      ->capture_default_str();
  AddBackgroundOptions(verb, arguments);
  AddTextsOption(verb, arguments);
  AddPhysicsOptions(verb, arguments);
  verb.add_flag("!--no-sandbox", arguments.sandbox,
                "Do not restrict file writes to the directories named by the options");
  verb.add_flag(
      "--namespaces", arguments.namespaces,
      "With --memory: give each namespace a copy of the tables as they were at its first use, "
      "in the header X-Prejoin-Namespace or by an access key namespace-NAME. POST "
      "/namespaces/NAME resets it; POST /snapshot and /restore save and restore tables");
  verb.add_flag("--exit-with-parent", arguments.exit_with_parent,
                "Stop when standard input ends, as it does when the process that holds its other "
                "end is gone");
  verb.add_flag("--compat", arguments.compat,
                "Start and answer GET / as DynamoDB Local does, for tools that wait for it");
  verb.add_option("--model", arguments.model,
                  "Model file that the studio opens and saves. Missing tables are created and "
                  "filled with its sample");
  AddAccessOptions(verb, arguments);
  AddAuthOptions(verb, arguments.access);
  AddPriceOptions(verb, arguments.prices);
}

}  // namespace prejoin::cli
