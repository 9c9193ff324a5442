// The order of the checks is AWS's: content type, body, operation, credentials, then everything
// that wire/ and the engine check. The body is read last all the same, where it is needed; a
// request that is refused before that is looked at once more.
#include "server/dynamodb_endpoint.h"

#include <chrono>

#include "auth/authenticate.h"
#include "base/limits.h"
#include "base/patience.h"
#include "json/reader.h"
#include "server/http/protocol_error.h"

namespace prejoin::server {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kForm = "application/x-www-form-urlencoded";

// A request may be tried on the event loop if reading it and doing that much work takes about a
// millisecond. A transaction of 40 KB takes that on its own, so larger bodies are left to workers, for whom the way there is nothing.
constexpr std::size_t kTrialBodyBytesMax = 16 * 1024;
constexpr std::uint64_t kTrialWorkMax = 512 * 1024;

// Longer than the timeouts of SDKs, which are a minute at most by default.
constexpr std::chrono::seconds kInjectedTimeout(70);

std::chrono::steady_clock::duration MillisecondsOf(double ms) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double, std::milli>(ms));
}

// "application/json ; charset=utf-8" → "application/json"
std::string_view MediaType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  const auto last = content_type.find_last_not_of(" \t");
  return content_type.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// AWS's answer to anything that is not a call of its API, in a format of its own.
HttpResponse NotAnOperation() {
  HttpResponse response;
  response.status = 404;
  response.content_type = {};
  response.body = "<UnknownOperationException/>\n";
  return response;
}

HttpResponse Preflight(const HttpRequest& request) {
  HttpResponse response;
  response.content_type = {};
  const std::string_view headers = request.Header("access-control-request-headers");
  if (!headers.empty()) {
    response.AddHeader("Access-Control-Allow-Headers", headers);
  }
  const std::string_view method = request.Header("access-control-request-method");
  if (!method.empty()) {
    response.AddHeader("Access-Control-Allow-Methods", method);
  }
  response.AddHeader("Access-Control-Max-Age", "172800");
  return response;
}

// The fault to name if the body is no JSON either. A large body is not worth the time.
bool IsBrokenJson(std::string_view body) {
  return !body.empty() && body.size() <= kBodyOnLoopBytesMax &&
         !json::Document::Parse(body).has_value();
}

HttpResponse RefusalOf(const Error& error) {
  if (error.code == ErrorCode::kUnavailable) {  // Nothing is wrong with the caller.
    return CoralError(503, "ServiceUnavailable", error.message);
  }
  const auto* failure = dynamic_cast<const auth::AuthenticationFailure*>(error.detail.get());
  return CoralError(400, failure != nullptr ? failure->type : "AccessDeniedException",
                    error.message);
}

}  // namespace

Outcome DynamoDbEndpoint::Handle(const HttpRequest& request, Exchange& exchange,
                                 Completion completion) {
  const bool cross_origin = !request.Header("origin").empty();
  Outcome outcome = Outcome::kDone;
  // A proxy may ask for http://host/ instead.
  const bool other_path = request.target.starts_with('/') && request.path() != "/";
  if (request.method == Method::kPost && !other_path) {
    outcome = HandlePost(request, exchange, completion);
  } else if (request.method == Method::kOptions && cross_origin) {
    exchange.response = Preflight(request);
  } else {
    exchange.response = NotAnOperation();
  }
  // The completion may have been called already, but the response is ours until this returns:
  // Resume runs on this thread.
  if (cross_origin) {
    AllowReading(exchange.response);
  }
  return outcome;
}

// Callers that may not ask at all were stopped by the guard.
void DynamoDbEndpoint::AllowReading(HttpResponse& response) {
  response.AddHeader("Access-Control-Allow-Origin", "*");
  response.AddHeader("Access-Control-Expose-Headers",
                     "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date");
}

Outcome DynamoDbEndpoint::HandlePost(const HttpRequest& request, Exchange& exchange,
                                     Completion completion) {
  HttpResponse& response = exchange.response;
  const std::string_view media_type = MediaType(request.Header("content-type"));
  if (!request.body.empty() && media_type != kAmzJson10 && media_type != kJson) {
    if (gatekeeper_ != nullptr && media_type == kForm) {
      switch (gatekeeper_->AdmitForm(request, exchange)) {
        case Gatekeeper::FormOutcome::kAdmitted:
          return Outcome::kOffLoop;
        case Gatekeeper::FormOutcome::kRefused:
          return Outcome::kDone;
        case Gatekeeper::FormOutcome::kNoForm:
          break;
      }
    }
    response = NotAnOperation();
    return Outcome::kDone;
  }
  const std::string_view content_type = media_type == kAmzJson10 ? kAmzJson10 : kJson;
  const std::string_view target = request.Header("x-amz-target");
  const auto operation = backend_.OperationOf(target);
  const auto refuse = [&](HttpResponse refusal) {
    response = IsBrokenJson(request.body) ? CoralError(400, "SerializationException", "")
                                          : std::move(refusal);
    response.content_type = content_type;
    return Outcome::kDone;
  };
  if (!operation) {
    return refuse(CoralError(400, "UnknownOperationException", ""));
  }
  exchange.operation = static_cast<std::uint32_t>(*operation) + 1;
  // A signature is over all bytes that were sent: a worker verifies that of a large body.
  const bool admits_later =
      gatekeeper_ != nullptr && request.sent_body.size() > kBodyOnLoopBytesMax;
  if (!admits_later && !Admit(request, exchange)) {
    return refuse(std::move(response));
  }
  response.content_type = content_type;
  if (delays_ != nullptr) {
    if (auto fault = backend_.FaultOf(*operation, request.body)) {
      return DeliverFault(*std::move(fault), exchange, completion);
    }
  }
  if (admits_later || backend_.RunningOf(*operation) != wire::Running::kTriedOnLoop ||
      request.body.size() > kTrialBodyBytesMax || exchange.heavy_operation == exchange.operation) {
    return Outcome::kOffLoop;
  }
  wire::Answer answer = backend_.Handle(
      target, request,
      RequestBudget(RequestBudget::Attempt::kTrial, kTrialWorkMax, kRequestMemoryBytesMax),
      exchange.access.get());
  if (answer.abandoned) {
    exchange.obstacle = answer.obstacle;
    if (!answer.obstacle) {
      exchange.heavy_operation = exchange.operation;
    }
    return Outcome::kOffLoop;
  }
  return Deliver(std::move(answer), target, exchange, completion);
}

bool DynamoDbEndpoint::Admit(const HttpRequest& request, Exchange& exchange) const {
  if (gatekeeper_ == nullptr) {
    const auto caller = auth::Authenticate(
        {"POST", request.path(), request.query(), request.fields, request.sent_body});
    if (!caller) {
      exchange.response = RefusalOf(caller.error());
    }
    return caller.has_value();
  }
  auto admitted = gatekeeper_->Admit(request, exchange, "dynamodb");
  if (!admitted) {
    exchange.response = RefusalOf(admitted.error());
    return false;
  }
  exchange.access = *std::move(admitted);
  return true;
}

Outcome DynamoDbEndpoint::Work(const HttpRequest& request, Exchange& exchange,
                               Completion completion) {
  if (exchange.access != nullptr) {
    exchange.access->MoveUserAgent(request.Header("user-agent"));
  } else if (gatekeeper_ != nullptr && !AdmitNow(request, exchange)) {
    return Outcome::kDone;
  }
  if (exchange.operation == kNoOperation) {
    gatekeeper_->AnswerForm(request, exchange);
    return Outcome::kDone;
  }
  wire::Answer answer = Run(request, exchange);
  if (answer.abandoned) {
    exchange.obstacle = answer.obstacle;
    return Outcome::kOffLoop;
  }
  if (answer.work <= kTrialWorkMax) {
    exchange.heavy_operation = kNoOperation;
  }
  return Deliver(std::move(answer), request.Header("x-amz-target"), exchange, completion);
}

bool DynamoDbEndpoint::AdmitNow(const HttpRequest& request, Exchange& exchange) const {
  const std::string_view content_type = exchange.response.content_type;
  const std::string headers = exchange.response.headers;
  if (Admit(request, exchange)) {
    return true;
  }
  exchange.response.content_type = content_type;
  exchange.response.headers = headers;
  return false;
}

// A worker waits for nobody either, as long as the request can run again: those who wait have threads of their own.
wire::Answer DynamoDbEndpoint::Run(const HttpRequest& request, Exchange& exchange) {
  const WaitingScope waiting(exchange.obstacle.has_value() ||
                             backend_.RunningOf(exchange.operation - 1) == wire::Running::kOnce);
  (void)TakeObstacle();  // Clears the obstacle of an earlier request on this thread.
  return backend_.Handle(
      request.Header("x-amz-target"), request,
      RequestBudget(RequestBudget::Attempt::kFinal, kRequestWorkMax, kRequestMemoryBytesMax),
      exchange.access.get());
}

Outcome DynamoDbEndpoint::Deliver(wire::Answer answer, std::string_view target, Exchange& exchange,
                                  Completion completion) {
  if (exchange.access != nullptr) {
    gatekeeper_->Note(*exchange.access, target.substr(target.find('.') + 1), answer.status);
  }
  HttpResponse& response = exchange.response;
  response.status = answer.status;
  response.body = std::move(answer.body);
  if (delays_ != nullptr && answer.latency_ms > 0) {
    const auto due = exchange.started + MillisecondsOf(answer.latency_ms);
    backend_.WhenDurable(answer.ticket, [completion, due, delays = delays_](Status status) {
      delays->FinishAt(due, completion, std::move(status));
    });
    return Outcome::kLater;
  }
  if (backend_.IsDurable(answer.ticket)) {
    return Outcome::kDone;
  }
  backend_.WhenDurable(answer.ticket,
                       [completion](Status status) { completion.Finish(std::move(status)); });
  return Outcome::kLater;
}

// A client that is to time out gets its connection closed when it must have given up.
Outcome DynamoDbEndpoint::DeliverFault(wire::Answer fault, Exchange& exchange,
                                       Completion completion) {
  HttpResponse& response = exchange.response;
  response.status = fault.status;
  response.body = std::move(fault.body);
  response.drop = fault.severed != wire::Severed::kNo;
  if (fault.severed != wire::Severed::kTimeout) {
    return Outcome::kDone;
  }
  delays_->FinishAt(exchange.started + kInjectedTimeout, completion, {});
  return Outcome::kLater;
}

void DynamoDbEndpoint::Resume(Exchange& exchange, const Status& status) {
  if (status) {
    return;
  }
  log_.Error("a commit could not be made durable", {{"reason", status.error().message}});
  // Missing room passes, and a client may try again.
  HttpResponse failed = ProtocolError(status.error().code == ErrorCode::kUnavailable ? 503 : 500);
  failed.content_type = exchange.response.content_type;
  failed.headers = std::move(exchange.response.headers);
  exchange.response = std::move(failed);
}

}  // namespace prejoin::server
