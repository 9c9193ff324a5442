// `prejoin mcp`: the verbs for models, as tools of an assistant.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/mutex.h"
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

struct McpArguments {
  std::string endpoint;
  std::string region;
  bool allow_writes = false;
};

constexpr std::size_t kRunningMax = 64;
constexpr std::size_t kFileBytesMax = std::size_t{16} << 20;
constexpr std::size_t kPlaces = 3;

// For as long as the assistant waits: it can take a request back. The memory is what a tool of a desk may use.
constexpr process::TaskLimits kToolLimits{std::chrono::hours(24), std::size_t{4} << 30};

process::PoolOptions ToolPool() {
  process::PoolOptions options;
  options.command = ModelWorkerCommand(model::Prices{});
  options.slow_places = kPlaces;
  options.slow_bounds.tasks_max = options.slow_bounds.client_tasks_max = kRunningMax;
  options.slow_wait_max = std::chrono::hours(24);
  return options;
}

// A session: messages in, each to a process of its own, answers out as they come. A tool that fails in any way ends its process, not
// the session.
class McpSession {
 public:
  McpSession(const McpArguments& arguments, std::unique_ptr<client::Endpoint> endpoint)
      : endpoint_(std::move(endpoint)),
        allow_writes_(arguments.allow_writes),
        channel_(rpc::Framing::kLines, STDIN_FILENO, STDOUT_FILENO),
        tools_(ToolPool()) {}

  // The end of the input takes nothing back: whoever pipes messages in still reads the answers.
  ExitCode Run() {
    while (const auto message = channel_.Read()) {
      TakeBack(*message);
      Start(*message);
    }
    MutexLock lock(mutex_);
    while (!running_.empty()) {
      lock.Wait(ended_);
    }
    return broken_ ? kCouldNotRun : kFine;
  }

 private:
  struct Running {
    std::string id;  // JSON text; empty for a notification.
    std::atomic<bool> taken_back = false;
  };

  void TakeBack(const std::string& message) {
    MutexLock lock(mutex_);
    for (const auto& one : running_) {
      if (!one->id.empty() && mcp::IsCancellationOf(message, one->id)) {
        one->taken_back = true;
      }
    }
  }

  void Start(const std::string& message) {
    const auto running = std::make_shared<Running>();
    running->id = mcp::RequestId(message);
    {
      MutexLock lock(mutex_);
      while (running_.size() >= kRunningMax) {
        lock.Wait(ended_);
      }
      running_.push_back(running);
    }
    process::Task task;
    task.route = mcp::McpTask(endpoint_ == nullptr ? mcp::DatabaseAccess::kNone
                              : allow_writes_      ? mcp::DatabaseAccess::kWrites
                                                   : mcp::DatabaseAccess::kReads);
    task.body = message;
    task.lane = process::Lane::kSlow;
    task.limits = kToolLimits;
    task.call = [this](const std::string& operation, const std::string& body) {
      return Call(operation, body);
    };
    task.gone = [running] { return running->taken_back.load(); };
    task.done = [this, running](process::Ending ending, process::Answer answer) {
      if (ending != process::Ending::kAnswered) {
        End(*running, mcp::FailureAnswer(running->id, ending, kToolLimits));
      } else {
        End(*running, answer.status == 200 ? std::optional(std::move(answer.body)) : std::nullopt);
      }
    };
    if (!tools_.Add(std::move(task))) {
      End(*running, mcp::FailureAnswer(running->id, process::Ending::kTooLarge, kToolLimits));
    }
  }

  void End(const Running& running, const std::optional<std::string>& answer) {
    MutexLock lock(mutex_);
    broken_ = (answer && !channel_.Write(*answer)) || broken_;
    std::erase_if(running_, [&](const auto& one) { return one.get() == &running; });
    ended_.notify_all();
  }

  process::Answer Call(const std::string& operation, const std::string& body) {
    if (operation == mcp::kReadFile) {
      return ReadFile(body);
    }
    MutexLock lock(mutex_);
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

  // The assistant runs with the rights of the person who started this, and so does the file.
  static process::Answer ReadFile(const std::string& path) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code)) {
      return {404, path + (std::filesystem::exists(path, code) ? " is no file" : " does not exist")};
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(kFileBytesMax + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
      return {403, path + " cannot be read"};
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kFileBytesMax) {
      return {413, path + " is larger than 16 MB"};
    }
    return {200, std::move(text)};
  }

  const std::unique_ptr<client::Endpoint> endpoint_;  // Null: no database.
  const bool allow_writes_;
  // Reads happen on the thread of Run alone; everything else of these under the lock.
  Mutex mutex_;
  std::condition_variable ended_;
  rpc::Channel channel_;
  std::vector<std::shared_ptr<Running>> running_ PJ_GUARDED_BY(mutex_);
  bool broken_ PJ_GUARDED_BY(mutex_) = false;
  process::ProcessPool tools_;  // Ends first, because its tasks use the rest.
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
