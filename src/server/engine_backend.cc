#include "server/engine_backend.h"

namespace prejoin::server {

std::vector<std::string> EngineBackend::OperationNames() const {
  std::vector<std::string> names;
  // The last one stands for unknown targets.
  for (std::size_t i = 0; i + 1 < wire::Service::OperationCount(); ++i) {
    names.emplace_back(wire::Service::OperationName(i));
  }
  return names;
}

std::optional<std::size_t> EngineBackend::OperationOf(std::string_view target) const {
  const std::size_t index = wire::Service::OperationIndex(target);
  if (index + 1 == wire::Service::OperationCount()) return std::nullopt;
  return index;
}

wire::Answer EngineBackend::Handle(std::string_view target, std::string_view body) {
  return service_.Handle(target, body);
}

bool EngineBackend::IsDurable(storage::Ticket ticket) const {
  return engine_.store().IsDurable(ticket);
}

void EngineBackend::WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) {
  engine_.store().WhenDurable(ticket, std::move(done));
}

}  // namespace prejoin::server
