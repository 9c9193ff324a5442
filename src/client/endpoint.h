// A DynamoDB endpoint as a program that calls one sees it: an operation and a JSON text go there,
// signed; an answer or an error comes back.
#ifndef PREJOIN_CLIENT_ENDPOINT_H_
#define PREJOIN_CLIENT_ENDPOINT_H_

#include <functional>
#include <string>

#include "client/http_endpoint.h"
#include "client/signing_identity.h"
#include "prejoin/result.h"

namespace prejoin::client {

// Single thread.
class Endpoint {
 public:
  // `region` may be empty: then the environment or the endpoint's name says it.
  static Result<Endpoint> Open(const std::string& url, const std::string& region);

  // The body of the answer. Answers that ask for patience (throttling, 500, 503) are asked again a
  // few times, with growing pauses; any other error has the code that ErrorOf finds.
  Result<std::string> Call(const std::string& operation, const std::string& body);

  // As HttpEndpoint's. Calls that were asked for patience are not repeated either.
  void GiveUpWhen(const std::function<bool()>& gave_up) {
    gave_up_ = gave_up;
    http_.GiveUpWhen(gave_up);
  }

 private:
  Endpoint(HttpEndpoint http, SigningIdentity identity)
      : http_(std::move(http)), identity_(std::move(identity)) {}
  Result<HttpAnswer> SendSigned(const std::string& operation, const std::string& body);

  HttpEndpoint http_;
  SigningIdentity identity_;
  std::function<bool()> gave_up_;
};

// An answer that is not 200 as an error: the code by the name in "__type", kValidation for names
// that no caller tells apart; the message is the whole body.
Error ErrorOf(const std::string& operation, const HttpAnswer& answer);

// The status in an answer of DescribeTable; empty if it does not say.
std::string TableStatusIn(const std::string& described);

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_ENDPOINT_H_
