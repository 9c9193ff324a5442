// Which part of the server answers a request: the paths of our own, or the DynamoDB API.
#ifndef PREJOIN_SERVER_DISPATCH_H_
#define PREJOIN_SERVER_DISPATCH_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/dynamodb_endpoint.h"
#include "server/gatekeeper.h"
#include "server/guard.h"
#include "server/handler.h"
#include "server/metrics.h"
#include "wire/cloudwatch/cloudwatch.h"

namespace prejoin::server {

// A path of our own. `path` matches exactly, or, if it ends in a slash, everything below it.
struct Route {
  Method method;  // kGet also answers HEAD.
  std::string path;
  // Either fills exchange.response, or arranges for the completion (see Handler::Handle).
  std::function<Outcome(const HttpRequest& request, Exchange& exchange, Completion completion)>
      handle;
  bool off_loop = false;  // It may take long, so a worker answers.
};

// Thread-safe once it serves; AddRoute before that.
class Dispatch : public Handler {
 public:
  // Everything outlives this object.
  Dispatch(DynamoDbEndpoint& dynamodb, const Metrics& metrics);

  // Until this is called every page may ask.
  void GuardWith(Guard guard) { guard_.emplace(std::move(guard)); }

  void AddRoute(Route route) { routes_.push_back(std::move(route)); }

  // Answers requests for CloudWatch. Before the first request.
  using MetricsApi =
      std::function<void(wire::CloudWatchProtocol protocol, std::string_view operation,
                         const HttpRequest& request, const wire::AllowAction& allow,
                         HttpResponse& response)>;
  void ServeMetricsApi(MetricsApi api) { metrics_api_ = std::move(api); }

  // From now on our own paths are open to callers who may: "prejoin:metrics" for /metrics, and so on. Health checks stay open to everybody.
  // Null: to everybody.
  void AdmitWith(Gatekeeper* gatekeeper) { gatekeeper_ = gatekeeper; }

  // Browsers, which ask GET / for HTML, are sent to this path instead of being told "healthy".
  void SendBrowsersTo(std::string path) { home_ = std::move(path); }

  // GET / is refused as DynamoDB Local refuses a request without a signature, instead of "healthy".
  void RefuseUnsignedRoot() { refuses_root_ = true; }

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion) override;
  Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion) override;
  void Resume(Exchange& exchange, const Status& status) override;

 private:
  // Lets the route answer, if the caller may use it.
  Outcome Follow(const Route& route, const HttpRequest& request, Exchange& exchange,
                 Completion completion);
  const Route* Find(Method method, std::string_view path) const;
  // The operation of a request to CloudWatch, empty in a form; nullopt: it is another request.
  struct MetricsCall {
    wire::CloudWatchProtocol protocol;
    std::string_view operation;
  };
  std::optional<MetricsCall> MetricsCallOf(const HttpRequest& request) const;
  void AnswerMetricsApi(const MetricsCall& call, const HttpRequest& request, Exchange& exchange);

  DynamoDbEndpoint& dynamodb_;
  std::vector<Route> routes_;
  std::string home_;
  bool refuses_root_ = false;
  MetricsApi metrics_api_;
  std::optional<Guard> guard_;
  Gatekeeper* gatekeeper_ = nullptr;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_DISPATCH_H_
