// The engine: catalog, store and clock together. Every operation is a function in engine/ops/ that
// takes the engine, a RequestContext and its typed input.
#ifndef PREJOIN_ENGINE_ENGINE_H_
#define PREJOIN_ENGINE_ENGINE_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/request_budget.h"
#include "prejoin/clock.h"
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
class FaultRelay;
class IndexOutbox;
class Physics;
class Regions;
class Replicas;
class RequestMetrics;
class StampClock;
struct Index;
struct Table;

// A read that took capacity (engine/physics).
struct TakenRead {
  std::shared_ptr<const Table> table;
  const Index* index = nullptr;  // An index of that table; null: the table itself.
  std::string stored_key;
  double units = 0;
  bool eventual = false;
};

// The part of a request that is not its input.
struct RequestContext {
  RequestContext() = default;
  // Starts the context of a request that begins now.
  explicit RequestContext(const storage::Store& store) : outage(store.Outage()) {}

  // The newest commit that the answer depends on. A caller that sends the answer out must first
  // wait until the store is durable up to AwaitedTicket.
  storage::Ticket ticket = 0;
  // The outage of the store in which the request began; 0: it could write.
  std::uint64_t outage = 0;
  // Charged by everything that looks at items.
  RequestBudget budget;
  // Asked before items are touched (engine/access.h). Null: everything is allowed. Outlives the request.
  AccessControl* access = nullptr;
  // Given back if the request is abandoned, because it runs again. Empty without physics.
  std::vector<TakenRead> taken_reads;

  void Saw(storage::Ticket seen) { ticket = std::max(ticket, seen); }
  // The ticket to wait for before the answer leaves. In an outage that lasts from the first read to
  // now, everything that was read is durable.
  storage::Ticket AwaitedTicket(const storage::Store& store) const {
    return outage != 0 && store.Outage() == outage ? 0 : ticket;
  }
};

// The interval between sweeps of unneeded data: old stream records, tokens, backups, images.
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
  StampClock& stamps() { return *stamps_; }
  // The databases of other regions; null: this one stands alone.
  Regions* regions() { return regions_.load(std::memory_order_acquire); }
  // Once, before anybody may change replicas of tables.
  void JoinRegions(std::shared_ptr<Regions> regions);
  // Null unless Options::physics is set.
  Physics* physics() { return physics_.get(); }
  // Null unless Options::stale_reads is set.
  Replicas* replicas() { return replicas_.get(); }
  // Null without physics.
  RequestMetrics* request_metrics() { return request_metrics_.get(); }
  FaultRelay& faults() { return *faults_; }
  Worker& background() { return *background_; }
  // Counts items after a crash (table/table_stats.h), which may take hours. Changes nothing.
  Worker& counting() { return *counting_; }
  const Clock& clock() const { return clock_; }
  const Options& options() const { return options_; }

 private:
  Engine(std::unique_ptr<storage::Store> store, const Options& options, const Clock& clock,
         std::shared_ptr<FaultRelay> faults);
  static Result<std::unique_ptr<Engine>> Start(std::unique_ptr<Engine> engine);

  const Options options_;
  const Clock& clock_;
  const std::shared_ptr<FaultRelay> faults_;  // Shared with the store, which reports to it.
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<StreamCatalog> streams_;
  std::unique_ptr<HistoryNumbers> history_numbers_;
  std::unique_ptr<HistoryHolds> holds_;
  std::unique_ptr<BackupCatalog> backups_;
  std::unique_ptr<IndexOutbox> index_outbox_;
  std::unique_ptr<StampClock> stamps_;
  std::shared_ptr<Regions> joined_regions_;
  std::atomic<Regions*> regions_ = nullptr;
  std::unique_ptr<Physics> physics_;
  std::unique_ptr<Replicas> replicas_;
  std::unique_ptr<RequestMetrics> request_metrics_;
  // Declared last: their threads use everything above.
  std::unique_ptr<Worker> counting_;
  std::unique_ptr<Worker> background_;
};

// For layers that do not know the store.
inline RequestContext BeginRequest(Engine& engine) { return RequestContext(engine.store()); }
inline storage::Ticket AwaitedTicket(Engine& engine, const RequestContext& context) {
  return context.AwaitedTicket(engine.store());
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ENGINE_H_
