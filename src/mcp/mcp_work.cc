#include "mcp/mcp_work.h"

#include <algorithm>
#include <array>
#include <utility>

#include "json/reader.h"
#include "mcp/mcp_server.h"
#include "process/task_failure.h"
#include "rpc/message.h"

namespace prejoin::mcp {
namespace {

constexpr std::array<std::string_view, 3> kTaskNames = {"/mcp/none", "/mcp/reads", "/mcp/writes"};

}  // namespace

std::string_view McpTask(DatabaseAccess access) {
  return kTaskNames[static_cast<std::size_t>(access)];
}

bool IsMcpTask(std::string_view task) {
  return std::ranges::find(kTaskNames, task) != kTaskNames.end();
}

process::Answer DoMcpWork(std::string_view task, const std::string& message,
                          const std::string& version, const process::Call& call) {
  ToolContext context;
  context.version = version;
  context.allow_writes = task == McpTask(DatabaseAccess::kWrites);
  if (task != McpTask(DatabaseAccess::kNone)) {
    context.call = [&call](const std::string& operation,
                           const std::string& body) -> Result<std::string> {
      process::Answer answer = call(operation, body);
      if (answer.status != 200) {
        return ValidationError(std::move(answer.body));
      }
      return std::move(answer.body);
    };
  }
  context.read_file = [&call](const std::string& path) -> Result<std::string> {
    process::Answer answer = call(std::string(kReadFile), path);
    if (answer.status != 200) {
      return ValidationError(std::move(answer.body));
    }
    return std::move(answer.body);
  };
  // A request that is taken back ends with its process, so nobody has to ask for that here.
  const Peer peer{.send = [&](const std::string& text) { call(std::string(kSendMessage), text); },
                  .took_back = {}};
  auto answer = McpServer("prejoin " + version, std::move(context)).Handle(message, peer);
  if (!answer) {
    return {202, ""};
  }
  return {200, *std::move(answer)};
}

std::string RequestId(std::string_view message) {
  const auto document = json::Document::Parse(message);
  if (!document) {
    return {};
  }
  const auto request = rpc::ReadRequest(document->root());
  return request ? request->id : std::string();
}

std::optional<std::string> FailureAnswer(std::string_view request_id, process::Ending ending,
                                         const process::TaskLimits& limits) {
  if (request_id.empty() || ending == process::Ending::kClientGone) {
    return std::nullopt;
  }
  return rpc::ErrorAnswer(request_id, rpc::kInternalError,
                          process::FailureOf(ending, limits).message);
}

}  // namespace prejoin::mcp
