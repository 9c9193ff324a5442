#include "mcp/mcp_route.h"

#include <future>
#include <new>
#include <utility>

#include "base/limits.h"
#include "base/request_budget.h"
#include "rpc/message.h"

namespace prejoin::mcp {
namespace {

constexpr std::size_t kMcpBodyBytesMax = 4u << 20;
constexpr std::size_t kMcpWaitingMax = 64;

// An operation without the way over HTTP. The answer waits, as any, until what it saw is durable.
Result<std::string> CallBackend(server::Backend& backend, const std::string& operation,
                                const std::string& body) {
  const server::HttpRequest request{
      .method = server::Method::kPost, .target = "/", .fields = {}, .body = body};
  const wire::Answer answer = backend.Handle(
      "DynamoDB_20120810." + operation, request,
      RequestBudget(RequestBudget::Attempt::kFinal, kRequestWorkMax, kRequestMemoryBytesMax),
      nullptr);
  if (!backend.IsDurable(answer.ticket)) {
    std::promise<Status> durable;
    backend.WhenDurable(answer.ticket,
                        [&](Status status) { durable.set_value(std::move(status)); });
    PJ_RETURN_IF_ERROR(durable.get_future().get());
  }
  if (answer.status != 200) return ValidationError(answer.body);
  return answer.body;
}

ToolContext ReadingFrom(server::Backend& backend, const std::string& version) {
  ToolContext context;
  context.version = version;
  context.call = [&backend](const std::string& operation, const std::string& body) {
    return CallBackend(backend, operation, body);
  };
  return context;
}

void RefuseMessage(int status, std::string_view why, server::HttpResponse& response) {
  response.status = status;
  response.content_type = "application/json";
  response.body = rpc::ErrorAnswer("", rpc::kInvalidRequest, why);
}

}  // namespace

McpRoute::McpRoute(server::Backend& backend, std::vector<std::string> host_names,
                   const std::string& version)
    : guard_(std::move(host_names)),
      server_("prejoin " + version, ReadingFrom(backend, version)),
      worker_(Worker::Options{.waiting_max = kMcpWaitingMax}) {}

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
  const Status allowed = guard_.Check(request);
  if (!allowed || request.body.size() > kMcpBodyBytesMax) {
    RefuseMessage(allowed ? 413 : 403,
                  allowed ? "the message is larger than 4 MB" : allowed.error().message,
                  exchange.response);
    return server::Outcome::kDone;
  }
  // The exchange stays where it is until the completion is called; the request does not.
  const auto task = [this, body = std::string(request.body), &exchange, completion] {
    try {
      const Peer peer{.send = {},
                      .took_back = [this](const std::string&) { return worker_.stopping(); }};
      auto answer = server_.Handle(body, peer);
      exchange.response.status = answer ? 200 : 202;
      exchange.response.content_type = answer ? "application/json" : "";
      exchange.response.body = std::move(answer).value_or("");
    } catch (const std::bad_alloc&) {
      exchange.response = server::HttpResponse();
      RefuseMessage(503, "this message needs more memory than there is", exchange.response);
    }
    completion.Finish({});
  };
  if (worker_.Add(task)) return server::Outcome::kLater;
  RefuseMessage(503, "too many messages wait already; try again", exchange.response);
  return server::Outcome::kDone;
}

}  // namespace prejoin::mcp
