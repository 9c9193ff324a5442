// A gateway of a cluster answers a request if it leads, and hands it on if not.
#ifndef PREJOIN_SERVER_CLUSTER_GATEWAY_HANDLER_H_
#define PREJOIN_SERVER_CLUSTER_GATEWAY_HANDLER_H_

#include <atomic>
#include <functional>
#include <string>

#include "server/cluster/forwarder.h"
#include "server/handler.h"
#include "server/metrics.h"

namespace prejoin::server {

// The part that is the same for clients and for other gateways. Thread-safe.
class LeaderHandler : public Handler {
 public:
  // `holds_lease`: whether this process may act as the leader at this moment.
  explicit LeaderHandler(std::function<bool()> holds_lease)
      : holds_lease_(std::move(holds_lease)) {}

  // From now on this gateway leads, and `handler`, which outlives this object, answers.
  void Lead(Handler& handler) { leading_ = &handler; }

  Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion) override;
  void Resume(Exchange& exchange, const Status& status) override;

 protected:
  // The one to ask; null if this gateway does not lead.
  Handler* leading() const { return holds_lease_() ? leading_.load() : nullptr; }
  Outcome Answer(Handler& handler, const HttpRequest& request, Exchange& exchange,
                 Completion completion);

 private:
  // An answer may leave only if nobody else can have led when its data was read, which is so if the
  // lease holds now. A write is in the log whatever becomes of the lease, so nobody can say no to it.
  void Confirm(Exchange& exchange) const;

  const std::function<bool()> holds_lease_;
  std::atomic<Handler*> leading_ = nullptr;
};

// For clients.
class GatewayHandler final : public LeaderHandler {
 public:
  // `metrics` and `forwarder` outlive this object.
  GatewayHandler(std::function<bool()> holds_lease, Forwarder& forwarder, const Metrics& metrics)
      : LeaderHandler(std::move(holds_lease)), forwarder_(forwarder), metrics_(metrics) {}

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion) override;

 private:
  Forwarder& forwarder_;
  const Metrics& metrics_;
};

// For other gateways, which name the cluster's secret. Never hands on.
class PeerHandler final : public LeaderHandler {
 public:
  PeerHandler(std::function<bool()> holds_lease, std::string secret)
      : LeaderHandler(std::move(holds_lease)), secret_(std::move(secret)) {}

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion) override;

 private:
  const std::string secret_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_CLUSTER_GATEWAY_HANDLER_H_
