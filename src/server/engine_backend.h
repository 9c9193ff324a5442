// The engine behind the DynamoDB endpoint.
#ifndef PREJOIN_SERVER_ENGINE_BACKEND_H_
#define PREJOIN_SERVER_ENGINE_BACKEND_H_

#include "engine/engine.h"
#include "server/backend.h"
#include "server/log.h"
#include "server/metrics.h"

namespace prejoin::server {

// Thread-safe.
class EngineBackend : public OperationBackend {
 public:
  // `engine` outlives this object, or the call of Stop. `bucket_root`: as wire::Service has it.
  explicit EngineBackend(engine::Engine& engine, const std::string& bucket_root = "");

  // For a store on the network, where even the smallest request may have to wait for another machine.
  // Before the first request.
  void KeepOffLoops();

  // Ends what goes on beside the requests.
  void Stop() { service_.Stop(); }

  // The same for every engine.
  static std::vector<std::string> OperationNamesOfAll();
  std::vector<std::string> OperationNames() const override { return OperationNamesOfAll(); }
  std::optional<std::size_t> OperationOf(std::string_view target) const override;
  wire::Running RunningOf(std::size_t operation) const override;
  wire::Answer Handle(std::string_view target, const HttpRequest& request,
                      const RequestBudget& budget, engine::AccessControl* access) override;
  std::optional<wire::Answer> FaultOf(std::size_t operation, std::string_view body) override {
    return service_.FaultOf(operation, body);
  }
  Status Health() const override;
  bool IsDurable(storage::Ticket ticket) const override;
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override;

  // The most used keys of tables with Contributor Insights, as JSON.
  std::string InsightsReports() const { return service_.InsightsReports(); }

  // As wire::Service has it.
  void DisturbWith(wire::Disturbances& disturbances) { service_.DisturbWith(disturbances); }
  engine::Engine& engine() { return engine_; }

  // Partitions and their metrics, as JSON; only with physics.
  std::string Partitions() const { return service_.Partitions(); }

  // Faults of the store and damaged records go to the log, which outlives the engine.
  void LogFaults(Log& log);
  // Gauges about the store; `metrics` must not be rendered once this object is gone.
  void AddGauges(Metrics& metrics);

 private:
  engine::Engine& engine_;
  wire::Service service_;
  bool keeps_off_loops_ = false;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_ENGINE_BACKEND_H_
