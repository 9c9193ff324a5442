// `prejoin mcp`: the verbs for models, as tools of an assistant.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/new_verb.h"
#include "cli/serve/model_worker.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "client/endpoint.h"
#include "mcp/mcp_server.h"
#include "mcp/mcp_work.h"
#include "process/process_pool.h"
#include "rpc/framing.h"
#include "wire/only_reads.h"

namespace prejoin::cli {
namespace {

constexpr std::size_t kWaitingMax = 64;
constexpr std::chrono::milliseconds kPeerPause{100};

struct McpArguments {
  std::string endpoint;
  std::string region;
  bool allow_writes = false;
};

// For as long as the assistant waits: it can take a request back. The memory is what a tool of a desk may use.
constexpr process::TaskLimits kToolLimits{std::chrono::hours(24), std::size_t{4} << 30};

// A session: messages in, each to a process of its own, answers out. A tool that fails in any way ends its process, not the
// session.
class McpSession {
 public:
  McpSession(const McpArguments& arguments, std::unique_ptr<client::Endpoint> endpoint)
      : endpoint_(std::move(endpoint)),
        allow_writes_(arguments.allow_writes),
        channel_(rpc::Framing::kLines, STDIN_FILENO, STDOUT_FILENO),
        tools_({.command = ModelWorkerCommand(model::Prices{})}) {}

  ExitCode Run() {
    while (const auto message = Next()) {
      const auto answer = Answer(*message);
      if (answer && !channel_.Write(*answer)) {
        return kCouldNotRun;
      }
    }
    return kFine;
  }

 private:
  std::optional<std::string> Next() {
    if (waiting_.empty() && input_ended_) {
      return std::nullopt;
    }
    if (waiting_.empty()) {
      return channel_.Read();
    }
    std::string message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
  }

  std::optional<std::string> Answer(const std::string& message) {
    const std::string id = mcp::RequestId(message);
    std::promise<std::optional<std::string>> answered;
    process::Task task;
    task.route = mcp::McpTask(endpoint_ == nullptr ? mcp::DatabaseAccess::kNone
                              : allow_writes_      ? mcp::DatabaseAccess::kWrites
                                                   : mcp::DatabaseAccess::kReads);
    task.body = message;
    task.lane = process::Lane::kSlow;
    task.limits = kToolLimits;
    // This thread waits, so the one that calls these has the channel and the endpoint to itself.
    task.call = [this](const std::string& operation, const std::string& body) {
      return Call(operation, body);
    };
    task.gone = [this, &id, next = Clock::time_point()]() mutable {
      const auto now = Clock::now();
      if (id.empty() || now < next) {
        return false;
      }
      next = now + kPeerPause;
      return TookBack(id);
    };
    task.done = [&](process::Ending ending, process::Answer answer) {
      if (ending != process::Ending::kAnswered) {
        answered.set_value(mcp::FailureAnswer(id, ending, kToolLimits));
      } else if (answer.status == 200) {
        answered.set_value(std::move(answer.body));
      } else {
        answered.set_value(std::nullopt);
      }
    };
    if (!tools_.Add(std::move(task))) {
      return mcp::FailureAnswer(id, process::Ending::kTooLarge, kToolLimits);
    }
    return answered.get_future().get();
  }

  process::Answer Call(const std::string& operation, const std::string& body) {
    if (operation == mcp::kSendMessage) {
      channel_.Write(body);
      return {};
    }
    if (endpoint_ == nullptr || (!allow_writes_ && !wire::OnlyReads(operation, body))) {
      return {403, "only reads are passed on"};
    }
    auto answer = endpoint_->Call(operation, body);
    if (!answer) {
      return {400, answer.error().message};
    }
    return {200, *std::move(answer)};
  }

  // The end of the input takes nothing back: whoever pipes messages in still reads the answers.
  bool TookBack(const std::string& id) {
    while (!input_ended_ && waiting_.size() < kWaitingMax && channel_.HasMore()) {
      auto message = channel_.Read();
      input_ended_ = !message.has_value();
      if (!message) {
        return false;
      }
      if (mcp::IsCancellationOf(*message, id)) {
        return true;
      }
      waiting_.push_back(*std::move(message));
    }
    return false;
  }

  using Clock = std::chrono::steady_clock;

  const std::unique_ptr<client::Endpoint> endpoint_;  // Null: no database.
  const bool allow_writes_;
  rpc::Channel channel_;
  std::deque<std::string> waiting_;  // Messages that came while a tool ran.
  bool input_ended_ = false;
  process::ProcessPool tools_;
};

ExitCode RunMcp(const McpArguments& arguments) {
  std::unique_ptr<client::Endpoint> endpoint;
  if (!arguments.endpoint.empty()) {
    auto opened = client::Endpoint::Open(arguments.endpoint, arguments.region);
    if (!opened) {
      return CouldNotRun("mcp", opened.error());
    }
    endpoint = std::make_unique<client::Endpoint>(*std::move(opened));
  }
  return McpSession(arguments, std::move(endpoint)).Run();
}

}  // namespace

void AddMcp(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, RunMcp,
      {"mcp",
       "Run the tools for AI assistants (Model Context Protocol on standard input and output).",
       "Example, in the settings of an assistant:\n  {\"mcpServers\": {\"prejoin\": {\"command\": "
       "\"prejoin\", \"args\": [\"mcp\"]}}}\n\nResources: the grammar, the rules of the linter, "
       "the "
       "example models. docs/model/assistants.md shows a session."});
  verb->add_option("--endpoint", arguments->endpoint, "Database for the `query` tool");
  verb->add_option("--region", arguments->region, "Region of an AWS endpoint");
  verb->add_flag("--allow-writes", arguments->allow_writes,
                 "Allow the `query` tool to change data. Default: reads only");
}

}  // namespace prejoin::cli
