// The DynamoDB protocol over HTTP: what is checked before a request reaches wire/, and how its
// answer leaves.
#ifndef PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_
#define PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_

#include "server/backend.h"
#include "server/delays.h"
#include "server/gatekeeper.h"
#include "server/handler.h"
#include "server/log.h"

namespace prejoin::server {

// Thread-safe.
class DynamoDbEndpoint {
 public:
  // All outlive this object. Without a gatekeeper any credentials will do.
  DynamoDbEndpoint(OperationBackend& backend, Log& log, Gatekeeper* gatekeeper = nullptr)
      : backend_(backend), log_(log), gatekeeper_(gatekeeper) {}

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion);
  // On a worker: what Handle left for it.
  Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion);
  void Resume(Exchange& exchange, const Status& status);
  Status Health() const { return backend_.Health(); }
  // Lets answers take as long as the backend says. Outlives this object; before the first request.
  void DelayWith(Delays& delays) { delays_ = &delays; }

  // Lets a page of another origin read an answer, as far as AWS's own answers can be read.
  static void AllowReading(HttpResponse& response);

 private:
  Outcome HandlePost(const HttpRequest& request, Exchange& exchange, Completion completion);
  // Fills `exchange.access`, or the response with a refusal.
  bool Admit(const HttpRequest& request, Exchange& exchange) const;
  // On a worker, for a request whose signature Handle left alone.
  bool AdmitNow(const HttpRequest& request, Exchange& exchange) const;
  wire::Answer Run(const HttpRequest& request, Exchange& exchange);
  Outcome Deliver(wire::Answer answer, std::string_view target, Exchange& exchange,
                  Completion completion);
  Outcome DeliverFault(wire::Answer fault, Exchange& exchange, Completion completion);

  OperationBackend& backend_;
  Log& log_;
  Delays* delays_ = nullptr;
  Gatekeeper* const gatekeeper_;  // Null: everybody is let in.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_
