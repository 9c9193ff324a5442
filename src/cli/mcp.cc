// `prejoin mcp`: the verbs for models, as tools of an assistant.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "cli/new_verb.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "client/endpoint.h"
#include "mcp/mcp_server.h"
#include "rpc/framing.h"

namespace prejoin::cli {
namespace {

constexpr std::size_t kWaitingMax = 64;

struct McpArguments {
  std::string endpoint;
  std::string region;
  bool allow_writes = false;
};

ExitCode RunMcp(const McpArguments& arguments) {
  mcp::ToolContext context;
  context.allow_writes = arguments.allow_writes;
  context.version = PREJOIN_VERSION;
  std::shared_ptr<client::Endpoint> endpoint;
  if (!arguments.endpoint.empty()) {
    auto opened = client::Endpoint::Open(arguments.endpoint, arguments.region);
    if (!opened) return CouldNotRun("mcp", opened.error());
    endpoint = std::make_shared<client::Endpoint>(*std::move(opened));
    context.call = [endpoint](const std::string& operation, const std::string& body) {
      return endpoint->Call(operation, body);
    };
  }
  rpc::Channel channel(rpc::Framing::kLines, STDIN_FILENO, STDOUT_FILENO);
  mcp::McpServer server(Version(), std::move(context));
  // Messages that came while a tool ran.
  std::deque<std::string> waiting;
  const mcp::Peer peer{.send = [&](const std::string& message) { channel.Write(message); },
                       .took_back =
                           [&](const std::string& id) {
                             while (waiting.size() < kWaitingMax && channel.HasMore()) {
                               auto message = channel.Read();
                               if (!message || mcp::IsCancellationOf(*message, id)) return true;
                               waiting.push_back(*std::move(message));
                             }
                             return false;
                           }};
  while (true) {
    std::optional<std::string> message;
    if (waiting.empty()) {
      message = channel.Read();
    } else {
      message = std::move(waiting.front());
      waiting.pop_front();
    }
    if (!message) break;
    const auto answer = server.Handle(*message, peer);
    if (answer && !channel.Write(*answer)) return kCouldNotRun;
  }
  return kFine;
}

}  // namespace

void AddMcp(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, RunMcp,
      {"mcp",
       "Check, explain, cost, design and prove for assistants: "
       "the Model Context Protocol on stdio.",
       "Example, in the settings of an assistant:\n  {\"mcpServers\": {\"prejoin\": {\"command\": "
       "\"prejoin\", \"args\": [\"mcp\"]}}}\n\nResources: the grammar, the rules of the linter, "
       "the "
       "example models. docs/model/assistants.md shows a session."});
  verb->add_option("--endpoint", arguments->endpoint, "A database for the tool `query`");
  verb->add_option("--region", arguments->region, "Of an AWS endpoint");
  verb->add_flag("--allow-writes", arguments->allow_writes,
                 "Let `query` change data; without it only reads are passed on");
}

}  // namespace prejoin::cli
