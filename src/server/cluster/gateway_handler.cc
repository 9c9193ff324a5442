#include "server/cluster/gateway_handler.h"

#include <openssl/crypto.h>

#include "server/cluster/peer_protocol.h"
#include "server/http/protocol_error.h"

namespace prejoin::server {

Outcome LeaderHandler::Answer(Handler& handler, const HttpRequest& request, Exchange& exchange,
                              Completion completion) {
  const Outcome outcome = handler.Handle(request, exchange, completion);
  if (outcome == Outcome::kDone) {
    Confirm(exchange);
  }
  return outcome;
}

Outcome LeaderHandler::Work(const HttpRequest& request, Exchange& exchange, Completion completion) {
  return leading_.load()->Work(request, exchange, completion);
}

void LeaderHandler::Resume(Exchange& exchange, const Status& status) {
  // Null: the answer came from the leader.
  if (Handler* handler = leading_.load()) {
    handler->Resume(exchange, status);
    Confirm(exchange);
  }
}

void LeaderHandler::Confirm(Exchange& exchange) const {
  if (!holds_lease_()) {
    exchange.response = CoralError(500, "InternalServerError",
                                   "This gateway has ceased to lead, and it is not known whether "
                                   "the request was carried out");
  }
}

Outcome GatewayHandler::Handle(const HttpRequest& request, Exchange& exchange,
                               Completion completion) {
  if (Handler* handler = leading()) {
    return Answer(*handler, request, exchange, completion);
  }
  if (request.method == Method::kGet && request.path() == "/healthz") {
    exchange.response.content_type = "text/plain; charset=utf-8";
    exchange.response.body = "ok: hands requests on\n";
    return Outcome::kDone;
  }
  if (request.method == Method::kGet && request.path() == "/metrics") {
    exchange.response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    exchange.response.body = metrics_.Render();
    return Outcome::kDone;
  }
  return forwarder_.Forward(request, exchange, completion);
}

Outcome PeerHandler::Handle(const HttpRequest& request, Exchange& exchange, Completion completion) {
  const std::string_view given = request.Header(kPeerHeader);
  if (given.size() != secret_.size() ||
      CRYPTO_memcmp(given.data(), secret_.data(), secret_.size()) != 0) {
    exchange.response = CoralError(403, "AccessDeniedException", "This port is for gateways only");
    return Outcome::kDone;
  }
  if (Handler* handler = leading()) {
    return Answer(*handler, request, exchange, completion);
  }
  exchange.response = CoralError(503, "ServiceUnavailable", "This gateway does not lead");
  exchange.response.AddHeader(kNotLeaderHeader, "1");
  return Outcome::kDone;
}

}  // namespace prejoin::server
