#include "mcp/mcp_route.h"

#include <exception>
#include <utility>

#include "mcp/mcp_work.h"
#include "process/task_failure.h"
#include "rpc/message.h"
#include "server/peer_address.h"

namespace prejoin::mcp {
namespace {

constexpr std::size_t kMcpBodyBytesMax = 4u << 20;
// A tool may search for as long as an assistant asks it to, which is a minute at most, and prove then.
constexpr process::TaskLimits kMcpLimits{std::chrono::milliseconds(75'000), std::size_t{512} << 20};

void RefuseMessage(int status, std::string_view why, server::HttpResponse& response) {
  response.status = status;
  response.content_type = "application/json";
  response.body = rpc::ErrorAnswer("", rpc::kInvalidRequest, why);
}

void FillAnswer(process::Ending ending, process::Answer answer, const std::string& message,
                server::HttpResponse& response) {
  if (ending == process::Ending::kAnswered) {
    response.status = answer.status;
    response.content_type = answer.status == 200 ? "application/json" : "";
    response.body = std::move(answer.body);
    return;
  }
  const auto failure = FailureAnswer(RequestId(message), ending, kMcpLimits);
  response.status = failure ? 200 : 202;  // The protocol's errors are answers.
  response.content_type = failure ? "application/json" : "";
  response.body = failure.value_or("");
}

}  // namespace

McpRoute::McpRoute(process::TaskRunner& runner, process::Call reads,
                   std::vector<std::string> host_names)
    : runner_(runner), reads_(std::move(reads)), guard_(std::move(host_names)) {}

void McpRoute::AddTo(server::Dispatch& dispatch) {
  using server::Method;
  dispatch.AddRoute(
      {Method::kPost, "/mcp",
       [this](const server::HttpRequest& request, server::Exchange& exchange,
              server::Completion completion) { return Post(request, exchange, completion); }});
  // Clients ask for a stream first; 405 tells them that there is none.
  for (const Method method :
       {Method::kGet, Method::kPut, Method::kDelete, Method::kOptions, Method::kOther}) {
    dispatch.AddRoute(
        {method, "/mcp",
         [](const server::HttpRequest&, server::Exchange& exchange, server::Completion) {
           RefuseMessage(405, "messages are sent by POST", exchange.response);
           exchange.response.AddHeader("Allow", "POST");
           return server::Outcome::kDone;
         }});
  }
}

server::Outcome McpRoute::Post(const server::HttpRequest& request, server::Exchange& exchange,
                               server::Completion completion) {
  auto refused = guard_.Refuses(request);
  if (!refused && request.body.size() > kMcpBodyBytesMax) {
    refused = {413, "the message is larger than 4 MB"};
  }
  if (refused) {
    RefuseMessage(refused->status, refused->why, exchange.response);
    return server::Outcome::kDone;
  }
  process::Task task;
  task.route = McpTask(DatabaseAccess::kReads);
  task.body = request.body;
  task.lane = process::Lane::kQuick;  // Most tools are; a search moves to a place for long work.
  task.limits = kMcpLimits;
  task.client = server::PeerAddress(exchange.socket);
  // Its progress has nowhere to go: the answer is all that this route sends.
  task.call = [this](const std::string& operation, const std::string& body) {
    if (operation == kReadFile) {
      return process::Answer{403, "this server reads no files; give the text itself"};
    }
    return operation == kSendMessage ? process::Answer{} : reads_(operation, body);
  };
  // The exchange stays where it is until the completion is called.
  task.gone = [&exchange] { return server::ClientHasGone(exchange); };
  task.done = [&exchange, completion, message = std::string(request.body)](process::Ending ending,
                                                                           process::Answer answer) {
    try {
      FillAnswer(ending, std::move(answer), message, exchange.response);
    } catch (const std::exception&) {
      exchange.response = server::HttpResponse();
      RefuseMessage(503, "this message needs more memory than there is", exchange.response);
    }
    completion.Finish({});
  };
  if (runner_.Add(std::move(task))) {
    return server::Outcome::kLater;
  }
  RefuseMessage(503, process::kTooManyWait, exchange.response);
  return server::Outcome::kDone;
}

}  // namespace prejoin::mcp
