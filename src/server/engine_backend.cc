#include "server/engine_backend.h"

#include "engine/fault_relay.h"
#include "engine/index/index_outbox.h"
#include "engine/table/catalog.h"

namespace prejoin::server {
namespace {

std::uint64_t StoredBytes(engine::Engine& engine) {
  std::uint64_t bytes = 0;
  for (const engine::TablePtr& table : engine.catalog().All()) {
    bytes += engine.store().ApproximateBytes(table->space);
    for (const engine::Index& index : table->indexes) {
      bytes += engine.store().ApproximateBytes(index.space);
    }
  }
  return bytes;
}

}  // namespace

EngineBackend::EngineBackend(engine::Engine& engine, const std::string& bucket_root)
    : engine_(engine), service_(engine, bucket_root) {}

void EngineBackend::KeepOffLoops() { keeps_off_loops_ = true; }

wire::Running EngineBackend::RunningOf(std::size_t operation) const {
  const wire::Running running = wire::Service::RunningOf(operation);
  return keeps_off_loops_ && running == wire::Running::kTriedOnLoop ? wire::Running::kRepeatable
                                                                    : running;
}

std::vector<std::string> EngineBackend::OperationNamesOfAll() {
  std::vector<std::string> names;
  // The last one stands for unknown targets.
  for (std::size_t i = 0; i + 1 < wire::Service::OperationCount(); ++i) {
    names.emplace_back(wire::Service::OperationName(i));
  }
  return names;
}

std::optional<std::size_t> EngineBackend::OperationOf(std::string_view target) const {
  const std::size_t index = wire::Service::OperationIndex(target);
  if (index + 1 == wire::Service::OperationCount()) {
    return std::nullopt;
  }
  return index;
}

wire::Answer EngineBackend::Handle(std::string_view target, const HttpRequest& request,
                                   const RequestBudget& budget, engine::AccessControl* access) {
  return service_.Handle(target, request.body, budget, request.Header("host"), access);
}

Status EngineBackend::Health() const { return engine_.store().Health(); }

bool EngineBackend::IsDurable(storage::Ticket ticket) const {
  return engine_.store().IsDurable(ticket);
}

void EngineBackend::WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) {
  engine_.store().WhenDurable(ticket, std::move(done));
}

void EngineBackend::LogFaults(Log& log) {
  engine_.faults().ReportTo([&log](const engine::Fault& fault) {
    switch (fault.kind) {
      case engine::Fault::Kind::kFull:
        log.Error("writes fail until there is room; reads continue", {{"reason", fault.message}});
        break;
      case engine::Fault::Kind::kWritable:
        log.Warning("writes work again", {{"reason", fault.message}});
        break;
      case engine::Fault::Kind::kStopped:
        log.Error("writes fail until the next start; reads continue", {{"reason", fault.message}});
        break;
      case engine::Fault::Kind::kDamaged:
        log.Error("stored data is damaged", {{"reason", fault.message}});
        break;
    }
  });
}

void EngineBackend::AddGauges(Metrics& metrics) {
  metrics.AddGauge("prejoin_tables", "Tables.",
                   [this] { return std::uint64_t{engine_.catalog().Names().size()}; });
  metrics.AddGauge("prejoin_stored_bytes", "Roughly what tables and indexes take up in the store.",
                   [this] { return StoredBytes(engine_); });
  metrics.AddGauge("prejoin_writable", "1 while the store can write, 0 while it cannot.",
                   [this] { return std::uint64_t{engine_.store().Outage() == 0}; });
  metrics.AddGauge("prejoin_write_outages", "How often the store could not write since the start.",
                   [this] { return engine_.store().Faults().outages; });
  metrics.AddGauge("prejoin_damaged_files", "Files in which damaged bytes were found.",
                   [this] { return engine_.store().Faults().damaged_files; });
  metrics.AddGauge(
      "prejoin_damaged_reads", "Reads that met damaged files or records since the start.", [this] {
        return engine_.store().Faults().damaged_reads + engine_.faults().damaged_records();
      });
  metrics.AddGauge("prejoin_index_writes_waiting",
                   "Writes that global indexes do not show yet (--index-lag).",
                   [this] { return std::uint64_t{engine_.index_outbox().waiting()}; });
}

}  // namespace prejoin::server
