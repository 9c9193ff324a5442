// Databases for tests that run side by side, as `serve --memory --namespaces` has them: each namespace is a fork of the base, made when it is
// first asked for, and whoever uses it sees nothing of the others. Requests without a namespace go to the base.
#ifndef PREJOIN_SERVER_NAMESPACE_BACKENDS_H_
#define PREJOIN_SERVER_NAMESPACE_BACKENDS_H_

#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/worker.h"
#include "server/dispatch.h"
#include "server/engine_backend.h"

namespace prejoin::server {

// Thread-safe.
class NamespaceBackends : public Backend {
 public:
  // Each takes two threads, and the memory of what it has changed.
  static constexpr std::size_t kNamespacesMax = 1'000;
  // A request names its namespace in this header, or by an access key that begins so.
  static constexpr std::string_view kHeader = "x-prejoin-namespace";
  static constexpr std::string_view kKeyPrefix = "namespace-";

  // `base` serves `engine`, which is in memory; both outlive this object.
  NamespaceBackends(EngineBackend& base, engine::Engine& engine);

  // POST /namespaces/NAME makes the namespace, or puts it back to what the base is now; DELETE ends it.
  void AddRoutes(Dispatch& dispatch);
  // Ends the work on routes; later ones are refused.
  void Stop() { worker_.Stop(); }

  // Makes the namespace anew. Waits for requests to the base that are under way.
  Status Reset(const std::string& name) PJ_EXCLUDES(mutex_);
  // False if there is none.
  bool Drop(const std::string& name) PJ_EXCLUDES(mutex_);

  std::vector<std::string> OperationNames() const override { return base_.OperationNames(); }
  std::optional<std::size_t> OperationOf(std::string_view target) const override {
    return base_.OperationOf(target);
  }
  wire::Running RunningOf(std::size_t operation) const override {
    return base_.RunningOf(operation);
  }
  wire::Answer Handle(std::string_view target, const HttpRequest& request,
                      const RequestBudget& budget, engine::AccessControl* access) override;
  Status Health() const override { return base_.Health(); }
  // Everything is in memory, and durable at once.
  bool IsDurable(storage::Ticket) const override { return true; }
  void WhenDurable(storage::Ticket, std::function<void(Status)> done) override { done({}); }

 private:
  struct Fork {
    std::unique_ptr<engine::Engine> engine;
    std::unique_ptr<EngineBackend> backend;
    ~Fork();
  };
  using ForkPtr = std::shared_ptr<Fork>;

  ForkPtr Find(const std::string& name) const PJ_EXCLUDES(mutex_);
  Result<ForkPtr> FindOrMake(const std::string& name) PJ_EXCLUDES(mutex_);
  Result<ForkPtr> Make();
  wire::Answer HandleInBase(std::string_view target, const HttpRequest& request,
                            const RequestBudget& budget, engine::AccessControl* access);
  // In the worker.
  void Answer(Method method, const std::string& name, HttpResponse& response);

  EngineBackend& base_;
  engine::Engine& engine_;

  std::shared_mutex base_requests_;  // Shared by requests to the base; a fork is made alone.
  Mutex making_;                     // Comes before `mutex_`.
  mutable Mutex mutex_;
  std::map<std::string, ForkPtr, std::less<>> forks_ PJ_GUARDED_BY(mutex_);
  Worker worker_;  // Last: its jobs use everything above.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_NAMESPACE_BACKENDS_H_
