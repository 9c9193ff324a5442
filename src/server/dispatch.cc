#include "server/dispatch.h"

#include <algorithm>

#include "server/http/protocol_error.h"
#include "wire/scaling/scaling_api.h"

namespace prejoin::server {
namespace {

constexpr std::string_view kPlainText = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheusText = "text/plain; version=0.0.4; charset=utf-8";

bool Matches(const Route& route, Method method, std::string_view path) {
  const bool same_method =
      route.method == method || (route.method == Method::kGet && method == Method::kHead);
  if (!same_method) {
    return false;
  }
  if (route.path == "/" || route.path.back() != '/') {
    return path == route.path;
  }
  return path.starts_with(route.path);
}

// Load balancers ask the first two. The studio's files hold nothing of anybody's; what the page then asks for is signed.
bool IsOpen(std::string_view path) {
  return path == "/" || path == "/healthz" || path == "/studio" || path.starts_with("/studio/");
}

// "/model/check" → "prejoin:model"
std::string ActionOf(std::string_view path) {
  path.remove_prefix(1);
  return "prejoin:" + std::string(path.substr(0, path.find('/')));
}

}  // namespace

Dispatch::Dispatch(DynamoDbEndpoint& dynamodb, const Metrics& metrics) : dynamodb_(dynamodb) {
  AddRoute({Method::kGet, "/", [this](const HttpRequest& request, Exchange& exchange, Completion) {
              if (!home_.empty() && ListAccepts(request.Header("accept"), "text/html")) {
                exchange.response.status = 302;
                exchange.response.content_type = {};
                exchange.response.AddHeader("Location", home_);
                return Outcome::kDone;
              }
              if (refuses_root_) {
                exchange.response = CoralError(400, "MissingAuthenticationTokenException",
                                               "Request must contain either a valid (registered) "
                                               "AWS access key ID or X.509 certificate.");
                return Outcome::kDone;
              }
              exchange.response.content_type = kPlainText;
              exchange.response.body = "healthy: " + std::string(request.Header("host")) + " ";
              if (!request.Header("origin").empty()) {
                DynamoDbEndpoint::AllowReading(exchange.response);
              }
              return Outcome::kDone;
            }});
  AddRoute({Method::kGet, "/healthz", [this](const HttpRequest&, Exchange& exchange, Completion) {
              const Status health = dynamodb_.Health();
              exchange.response.status = health ? 200 : 503;
              exchange.response.content_type = kPlainText;
              exchange.response.body =
                  health ? "ok\n" : "cannot write: " + health.error().message + "\n";
              return Outcome::kDone;
            }});
  AddRoute(
      {Method::kGet, "/metrics", [&metrics](const HttpRequest&, Exchange& exchange, Completion) {
         exchange.response.content_type = kPrometheusText;
         exchange.response.body = metrics.Render();
         return Outcome::kDone;
       }});
}

Outcome Dispatch::Handle(const HttpRequest& request, Exchange& exchange, Completion completion) {
  if (guard_) {
    if (const std::string_view reason = guard_->Refusal(request); !reason.empty()) {
      exchange.response = CoralError(403, "AccessDeniedException", reason);
      return Outcome::kDone;
    }
  }
  if (MetricsCallOf(request)) {
    return Outcome::kOffLoop;  // It gathers the values of all tables.
  }
  // Nearly every request is a POST to the root, which is nobody's route.
  if (request.method != Method::kPost || request.target != "/") {
    if (const Route* route = Find(request.method, request.path())) {
      // A worker verifies the signature of a large body.
      const bool has_large_body = gatekeeper_ != nullptr && !IsOpen(route->path) &&
                                  request.sent_body.size() > kBodyOnLoopBytesMax;
      if (route->off_loop || has_large_body) {
        return Outcome::kOffLoop;
      }
      return Follow(*route, request, exchange, completion);
    }
  }
  return dynamodb_.Handle(request, exchange, completion);
}

std::optional<Dispatch::MetricsCall> Dispatch::MetricsCallOf(const HttpRequest& request) const {
  constexpr std::string_view kCborPath = "/service/GraniteServiceVersion20100801/operation/";
  constexpr std::string_view kFormType = "application/x-www-form-urlencoded";
  if (!metrics_api_ || request.method != Method::kPost) {
    return std::nullopt;
  }
  if (request.path().starts_with(kCborPath)) {
    return MetricsCall{wire::CloudWatchProtocol::kCbor, request.path().substr(kCborPath.size())};
  }
  const std::string_view target = request.Header("x-amz-target");
  if (target.starts_with(wire::kScalingTarget) && request.path() == "/") {
    return MetricsCall{wire::CloudWatchProtocol::kJson, target};
  }
  if (target.starts_with(wire::kCloudWatchTarget) && request.path() == "/") {
    return MetricsCall{wire::CloudWatchProtocol::kJson,
                       target.substr(std::min(target.size(), wire::kCloudWatchTarget.size() + 1))};
  }
  if (request.Header("content-type").starts_with(kFormType) &&
      wire::IsCloudWatchForm(request.body)) {
    return MetricsCall{wire::CloudWatchProtocol::kQuery, {}};
  }
  return std::nullopt;
}

void Dispatch::AnswerMetricsApi(const MetricsCall& call, const HttpRequest& request,
                                Exchange& exchange) {
  wire::AllowAction allow;
  if (gatekeeper_ != nullptr) {
    const auto access = gatekeeper_->AdmitToPath(
        request, exchange,
        call.operation.starts_with(wire::kScalingTarget) ? "application-autoscaling" : "monitoring");
    if (access == nullptr) {
      return;
    }
    allow = [this, access](const std::string& action) {
      return gatekeeper_->Allow(*access, action);
    };
  }
  metrics_api_(call.protocol, call.operation, request, allow, exchange.response);
}

Outcome Dispatch::Follow(const Route& route, const HttpRequest& request, Exchange& exchange,
                         Completion completion) {
  if (gatekeeper_ != nullptr && !IsOpen(route.path)) {
    const auto access = gatekeeper_->AdmitToPath(request, exchange, "dynamodb");
    if (access == nullptr) {
      return Outcome::kDone;
    }
    if (const Status allowed = gatekeeper_->Allow(*access, ActionOf(route.path)); !allowed) {
      exchange.response = CoralError(403, "AccessDeniedException", allowed.error().message);
      return Outcome::kDone;
    }
  }
  return route.handle(request, exchange, completion);
}

Outcome Dispatch::Work(const HttpRequest& request, Exchange& exchange, Completion completion) {
  if (const auto call = MetricsCallOf(request)) {
    AnswerMetricsApi(*call, request, exchange);
    return Outcome::kDone;
  }
  if (exchange.operation == kNoOperation && request.path() != "/") {
    if (const Route* route = Find(request.method, request.path())) {
      return Follow(*route, request, exchange, completion);
    }
  }
  return dynamodb_.Work(request, exchange, completion);
}

void Dispatch::Resume(Exchange& exchange, const Status& status) {
  dynamodb_.Resume(exchange, status);
}

const Route* Dispatch::Find(Method method, std::string_view path) const {
  for (const Route& route : routes_) {
    if (Matches(route, method, path)) {
      return &route;
    }
  }
  return nullptr;
}

}  // namespace prejoin::server
