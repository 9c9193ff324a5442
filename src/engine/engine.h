// The engine: catalog, store and clock together. Every operation is a function in engine/ops/ that
// takes the engine, a RequestContext and its typed input.
#ifndef PREJOIN_ENGINE_ENGINE_H_
#define PREJOIN_ENGINE_ENGINE_H_

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/request_budget.h"
#include "prejoin/options.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin {
class Worker;
}

namespace prejoin::engine {

class AccessControl;
class Catalog;
class StreamCatalog;
class HistoryNumbers;
class HistoryHolds;
class BackupCatalog;
class IndexOutbox;

// The part of a request that is not its input.
struct RequestContext {
  RequestContext() = default;
  // Of a request that begins now.
  explicit RequestContext(const storage::Store& store) : sees_durable_only(!store.Health()) {}

  // The newest commit that the answer depends on. A caller that sends the answer out must first
  // wait until the store is durable up to it.
  storage::Ticket ticket = 0;
  // The store could no longer write when the request began, so nothing it sees needs a wait.
  bool sees_durable_only = false;
  // Charged by everything that looks at items.
  RequestBudget budget;
  // Asked before items are touched (engine/access.h). Null: everything is allowed. Outlives the request.
  AccessControl* access = nullptr;

  void Saw(storage::Ticket seen) {
    if (!sees_durable_only) {
      ticket = std::max(ticket, seen);
    }
  }
};

// Between two sweeps for what nobody needs any more: old stream records, tokens, backups, images.
inline constexpr std::chrono::seconds kLeftoversInterval(60);

// Thread-safe.
class Engine {
 public:
  // Reads the catalog and resumes index builds that a stop interrupted.
  static Result<std::unique_ptr<Engine>> Open(const Options& options);
  static Result<std::unique_ptr<Engine>> OpenOn(std::unique_ptr<storage::Store> store,
                                                const Options& options, const Clock& clock);
  ~Engine();

  storage::Store& store() { return *store_; }
  Catalog& catalog() { return *catalog_; }
  StreamCatalog& streams() { return *streams_; }
  HistoryNumbers& history_numbers() { return *history_numbers_; }
  HistoryHolds& holds() { return *holds_; }
  BackupCatalog& backups() { return *backups_; }
  IndexOutbox& index_outbox() { return *index_outbox_; }
  Worker& background() { return *background_; }
  // Counts items after a crash (table/table_stats.h), which may take hours. Changes nothing.
  Worker& counting() { return *counting_; }
  const Clock& clock() const { return clock_; }
  const Options& options() const { return options_; }

 private:
  Engine(std::unique_ptr<storage::Store> store, const Options& options, const Clock& clock);

  const Options options_;
  const Clock& clock_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<StreamCatalog> streams_;
  std::unique_ptr<HistoryNumbers> history_numbers_;
  std::unique_ptr<HistoryHolds> holds_;
  std::unique_ptr<BackupCatalog> backups_;
  std::unique_ptr<IndexOutbox> index_outbox_;
  // Declared last: their threads use everything above.
  std::unique_ptr<Worker> counting_;
  std::unique_ptr<Worker> background_;
};

// For layers that do not know the store.
inline RequestContext BeginRequest(Engine& engine) { return RequestContext(engine.store()); }

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ENGINE_H_
