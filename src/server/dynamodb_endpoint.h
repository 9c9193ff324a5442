// The DynamoDB protocol over HTTP: what is checked before a request reaches wire/, and how its
// answer leaves.
#ifndef PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_
#define PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_

#include "server/backend.h"
#include "server/handler.h"
#include "server/log.h"

namespace prejoin::server {

// Thread-safe.
class DynamoDbEndpoint {
 public:
  // Both outlive this object.
  DynamoDbEndpoint(Backend& backend, Log& log) : backend_(backend), log_(log) {}

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion);
  // On a worker: what Handle left for it.
  Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion);
  void Resume(Exchange& exchange, const Status& status);
  Status Health() const { return backend_.Health(); }

  // Lets a page of another origin read an answer, as far as AWS's own answers can be read.
  static void AllowReading(HttpResponse& response);

 private:
  Outcome HandlePost(const HttpRequest& request, Exchange& exchange, Completion completion);
  Outcome Deliver(wire::Answer answer, HttpResponse& response, Completion completion);

  Backend& backend_;
  Log& log_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_DYNAMODB_ENDPOINT_H_
