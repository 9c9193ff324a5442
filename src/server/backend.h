// The seam between the DynamoDB endpoint and the engine behind it.
#ifndef PREJOIN_SERVER_BACKEND_H_
#define PREJOIN_SERVER_BACKEND_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/request_budget.h"
#include "prejoin/result.h"
#include "server/http/http.h"
#include "storage/store.h"
#include "wire/service.h"

namespace prejoin::server {

// Thread-safe. Implemented by EngineBackend, and by a fake in the tests of the durable wait.
class OperationBackend {
 public:
  virtual ~OperationBackend() = default;

  // For the metrics; OperationOf gives positions in it.
  virtual std::vector<std::string> OperationNames() const = 0;
  // Nullopt if `target`, an X-Amz-Target, names no operation.
  virtual std::optional<std::size_t> OperationOf(std::string_view target) const = 0;

  // Tells how the operation, as OperationOf numbers it, may run.
  virtual wire::Running RunningOf(std::size_t operation) const = 0;

  // `target` is what OperationOf has seen; `access` as wire::Service has it.
  virtual wire::Answer Handle(std::string_view target, const HttpRequest& request,
                              const RequestBudget& budget, engine::AccessControl* access) = 0;

  // The injected fault of a request; nullopt: none. Asked once for each request.
  virtual std::optional<wire::Answer> FaultOf(std::size_t, std::string_view) {
    return std::nullopt;
  }

  // As storage::Store has them.
  virtual Status Health() const { return {}; }
  virtual bool IsDurable(storage::Ticket ticket) const = 0;
  virtual void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) = 0;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_BACKEND_H_
