// Databases for tests that run side by side, as `serve --memory --namespaces` has them: each namespace is a fork of the base, made when it is
// first asked for, and whoever uses it sees nothing of the others. Requests without a namespace go to the base. A snapshot keeps the tables of
// one of them; a restore puts the same or another one back to it.
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
class NamespaceBackends : public OperationBackend {
 public:
  // Each takes two threads, and memory for its changes.
  static constexpr std::size_t kNamespacesMax = 1'000;
  static constexpr std::size_t kSnapshotsMax = 1'000;
  // A request names its namespace in this header, or by an access key that begins so.
  static constexpr std::string_view kHeader = "x-prejoin-namespace";
  static constexpr std::string_view kKeyPrefix = "namespace-";

  // `base` serves `engine`, which is in memory; both outlive this object.
  NamespaceBackends(EngineBackend& base, engine::Engine& engine);

  // POST /namespaces/NAME makes the namespace, or puts it back to what the base is now; DELETE ends it. POST /snapshot and /restore, with or
  // without /NAME, are about the namespace that the request names as others do; DELETE /snapshot/NAME ends a snapshot.
  void AddRoutes(Dispatch& dispatch);
  // Ends the work on routes; later ones are refused. The base may end before this object.
  void Stop() { worker_.Stop(); }

  // Makes the namespace again. Waits for requests to the base that are under way.
  Status Reset(const std::string& name) PJ_EXCLUDES(mutex_);
  // False if there is none.
  bool Drop(const std::string& name) PJ_EXCLUDES(mutex_);

  // Keeps the tables of the namespace as they are now, in the place of an earlier snapshot of that name. Waits for its requests that are under
  // way. An empty namespace is the base.
  Status Keep(const std::string& space, const std::string& snapshot) PJ_EXCLUDES(mutex_);
  // Puts the namespace back to the snapshot, which serves any number of times. False if there is none.
  Result<bool> Restore(const std::string& space, const std::string& snapshot) PJ_EXCLUDES(mutex_);
  // False if there is none.
  bool Forget(const std::string& snapshot) PJ_EXCLUDES(mutex_);

  std::vector<std::string> OperationNames() const override { return base_.OperationNames(); }
  std::optional<std::size_t> OperationOf(std::string_view target) const override {
    return base_.OperationOf(target);
  }
  wire::Running RunningOf(std::size_t operation) const override {
    return base_.RunningOf(operation);
  }
  wire::Answer Handle(std::string_view target, const HttpRequest& request,
                      const RequestBudget& budget, engine::AccessControl* access) override;
  std::optional<wire::Answer> FaultOf(std::size_t operation, std::string_view body) override {
    return base_.FaultOf(operation, body);
  }
  Status Health() const override { return base_.Health(); }
  // Everything is in memory, and durable at once.
  bool IsDurable(storage::Ticket) const override { return true; }
  void WhenDurable(storage::Ticket, std::function<void(Status)> done) override { done({}); }

 private:
  struct Fork {
    // Null: the base that the server started with, which is not ours.
    std::unique_ptr<engine::Engine> own_engine;
    std::unique_ptr<EngineBackend> own_backend;
    engine::Engine* engine = nullptr;
    EngineBackend* backend = nullptr;
    std::shared_mutex requests;  // Shared by its requests; it is copied alone.
    ~Fork();
  };
  using ForkPtr = std::shared_ptr<Fork>;
  using StorePtr = std::shared_ptr<storage::Store>;

  ForkPtr Find(const std::string& name) const PJ_EXCLUDES(mutex_);
  Result<ForkPtr> FindOrMake(const std::string& name) PJ_EXCLUDES(mutex_);
  Status Put(const std::string& name, ForkPtr fork) PJ_EXCLUDES(mutex_);
  // Opens a store with the current content of `fork`.
  static Result<std::unique_ptr<storage::Store>> StoreOf(Fork& fork);
  Result<ForkPtr> Open(std::unique_ptr<storage::Store> store) const;

  // In the worker.
  HttpResponse AnswerNamespace(Method method, const std::string& name);
  HttpResponse AnswerSnapshot(Method method, const std::string& space, const std::string& name);
  HttpResponse AnswerRestore(const std::string& space, const std::string& name);
  // Answers below `path` in the worker. `answer` gets the namespace of the caller and the last part of the path.
  void AddRoute(Dispatch& dispatch, Method method, const std::string& path,
                std::function<HttpResponse(const std::string&, const std::string&)> answer);

  engine::Engine& engine_;
  EngineBackend& base_;

  Mutex making_;  // Comes before `mutex_`.
  mutable Mutex mutex_;
  std::map<std::string, ForkPtr, std::less<>> forks_ PJ_GUARDED_BY(mutex_);  // "" is the base.
  std::map<std::string, StorePtr, std::less<>> snapshots_ PJ_GUARDED_BY(mutex_);
  Worker worker_;  // Last: its jobs use everything above.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_NAMESPACE_BACKENDS_H_
