#include "studio/remote.h"

#include <utility>

#include "json/writer.h"
#include "studio/http_names.h"
#include "studio/refusal.h"
#include "wire/only_reads.h"

namespace prejoin::studio {
namespace {

constexpr std::size_t kRemoteWaitingMax = 64;
constexpr std::size_t kRemoteBodyBytesMax = 16 * 1024 * 1024;
constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";

std::string ErrorBody(std::string_view type, std::string_view message) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("__type", type);
    object.String("message", message);
  }
  return body;
}

void AnswerRemote(const Result<std::string>& answer, HttpResponse& response) {
  if (answer) {
    AnswerJson(200, *answer, response);
    return;
  }
  // The other server's words continue as they are; a failure to answer gets our words.
  const std::string& said = answer.error().message;
  const bool is_answer = said.starts_with("{") && said.find("__type") != std::string::npos;
  AnswerJson(is_answer ? 400 : 502, is_answer ? said : ErrorBody("RemoteFailure", said), response);
}

}  // namespace

void AddNoRemote(server::Dispatch& dispatch) {
  dispatch.AddRoute(
      {Method::kGet, "/remote", [](const HttpRequest&, Exchange& exchange, Completion) {
         AnswerJson(200, R"({"url":null})", exchange.response);
         return Outcome::kDone;
       }});
}

Result<std::unique_ptr<Remote>> Remote::Open(RemoteOptions options,
                                             std::vector<std::string> host_names) {
  PJ_ASSIGN_OR_RETURN(client::Endpoint endpoint,
                      client::Endpoint::Open(options.url, options.region));
  return std::unique_ptr<Remote>(
      new Remote(std::move(options), std::move(endpoint), std::move(host_names)));
}

Remote::Remote(RemoteOptions options, client::Endpoint endpoint,
               std::vector<std::string> host_names)
    : options_(std::move(options)),
      guard_(std::move(host_names)),
      endpoint_(std::move(endpoint)),
      worker_({.at_stop = Worker::AtStop::kFinish, .waiting_max = kRemoteWaitingMax}) {}

void Remote::AddRoutes(server::Dispatch& dispatch) {
  dispatch.AddRoute(
      {Method::kGet, "/remote", [this](const HttpRequest& request, Exchange& exchange, Completion) {
         if (const Status allowed = CheckOrigin(guard_, request); !allowed) {
           AnswerError(allowed.error(), exchange.response);
           return Outcome::kDone;
         }
         std::string body;
         {
           json::ObjectWriter object(body);
           object.String("url", options_.url);
           object.Bool("writes", options_.writes);
         }
         AnswerJson(200, std::move(body), exchange.response);
         return Outcome::kDone;
       }});
  dispatch.AddRoute({Method::kPost, "/remote",
                     [this](const HttpRequest& request, Exchange& exchange, Completion completion) {
                       return Forward(request, exchange, completion);
                     }});
}

Outcome Remote::Forward(const HttpRequest& request, Exchange& exchange, Completion completion) {
  Status allowed = CheckOrigin(guard_, request);
  if (allowed && request.body.size() > kRemoteBodyBytesMax) {
    allowed = Refuse(413, "the request is larger than 16 MB");
  }
  std::string_view operation = request.Header("x-amz-target");
  if (allowed && !operation.starts_with(kTargetPrefix)) {
    allowed = Refuse(400, "X-Amz-Target names no operation of DynamoDB");
  }
  if (!allowed) {
    AnswerError(allowed.error(), exchange.response);
    return Outcome::kDone;
  }
  operation.remove_prefix(kTargetPrefix.size());
  if (!options_.writes && !wire::OnlyReads(operation, request.body)) {
    AnswerJson(400,
               ErrorBody("com.amazon.coral.service#AccessDeniedException",
                         "this studio only reads; start it with --write to change tables"),
               exchange.response);
    return Outcome::kDone;
  }
  // The exchange stays where it is until the completion is called; the request does not.
  const auto task = [this, operation = std::string(operation), body = std::string(request.body),
                     &exchange, completion] {
    FillOrFail(exchange.response,
               [&] { AnswerRemote(endpoint_.Call(operation, body), exchange.response); });
    completion.Finish({});
  };
  if (worker_.Add(task)) {
    return Outcome::kLater;
  }
  AnswerError(Refuse(503, "too many requests wait already; try again"), exchange.response);
  return Outcome::kDone;
}

}  // namespace prejoin::studio
