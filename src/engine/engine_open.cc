// Puts an engine together: the only file that knows every feature. Features know the engine only as
// engine.h declares it, and hand their jobs and sweeps to its worker.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/worker.h"
#include "cells/cell_folder.h"
#include "cells/cell_store.h"
#include "cells/slices.h"
#include "engine/engine.h"
#include "engine/fault_relay.h"
#include "engine/history/backup_catalog.h"
#include "engine/history/history.h"
#include "engine/history/history_holds.h"
#include "engine/history/history_numbers.h"
#include "engine/history/restore.h"
#include "engine/index/index_build.h"
#include "engine/index/index_outbox.h"
#include "engine/item/idempotency.h"
#include "engine/item/write_stamp.h"
#include "engine/physics/physics.h"
#include "engine/physics/replicas.h"
#include "engine/physics/request_metrics.h"
#include "engine/regions.h"
#include "engine/stream/stream_catalog.h"
#include "engine/stream/stream_trim.h"
#include "engine/table/catalog.h"
#include "engine/table/catalog_codec.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space_drop.h"
#include "engine/table/table_stats.h"
#include "engine/ttl/expiry_sweep.h"
#include "engine/vector/vector_build.h"

namespace prejoin::engine {
namespace {

// Lists the features of the engine, and of the access directory, which lives in the same store.
std::vector<std::string> KnownFeatures() {
  std::vector<std::string> features = StoredFeatures();
  features.emplace_back("access");
  return features;
}

Result<std::unique_ptr<storage::Store>> OpenStore(const Options& options,
                                                  const std::shared_ptr<FaultRelay>& faults) {
  if (options.cells != 0 && !cells::IsCellCount(options.cells)) {
    return ValidationError("a database can have 1, 2, 4, 8 or 16 cells, not " +
                           std::to_string(options.cells));
  }
  if (options.path.empty()) {
    return options.cells > 1 ? cells::NewMemoryCells(options.cells) : storage::NewMemoryStore();
  }
  return cells::OpenCells(
      {.path = options.path,
       .sync =
           options.sync == Sync::kAlways ? storage::SyncMode::kAlways : storage::SyncMode::kNone,
       .block_cache_bytes = options.block_cache_bytes,
       .known_features = KnownFeatures(),
       .on_fault = [faults](const storage::StoreFault& fault) { faults->Report(fault); }},
      options.cells);
}

std::set<std::uint32_t> SpacesInUse(Engine& engine) {
  std::set<std::uint32_t> used = engine.catalog().SpacesInUse();
  for (const StreamPtr& stream : engine.streams().All()) {
    used.insert(stream->info().space);
  }
  for (const KeptTable& table : engine.holds().Tables()) {
    used.insert({table.space, table.history_space});
  }
  return used;
}

// Ends a state that a stop interrupted, except that of a table whose index is still built, or that its other replicas still
// fill: they end it.
void ResumeState(Engine& engine, const Table& table) {
  const auto builds = [](const auto& index) {
    return index.description.status == IndexStatus::kCreating;
  };
  if (table.description.status == TableStatus::kDeleting) {
    FinishDeletingAt(engine, table.name(), 0);
  } else if (table.description.status != TableStatus::kActive &&
             !(table.replication && table.replication->filling) &&
             std::ranges::none_of(table.indexes, builds) &&
             std::ranges::none_of(table.vector_indexes, builds)) {
    ActivateAt(engine, table, 0);
  }
}

// Resumes the work that a stop interrupted.
void ResumeTable(Engine& engine, const Table& table) {
  if (table.restoring) {
    ResumeRestore(engine, table.name());
    return;
  }
  ResumeState(engine, table);
  if (table.expiry && table.expiry->building) {
    BuildExpiry(engine, table.name(), {});
  }
  for (const Index& index : table.indexes) {
    if (index.description.status == IndexStatus::kCreating) {
      BuildIndex(engine, table.name(), index, {});
    }
  }
  for (const VectorIndex& index : table.vector_indexes) {
    if (index.description.status == IndexStatus::kCreating) {
      BuildVectorIndex(engine, table.name(), index, {});
    } else {
      LoadVectorIndex(engine, table.name(), index);
    }
  }
}

void StartSweeps(Engine& engine) {
  StartExpirySweep(engine);
  StartStreamTrim(engine);
  StartTokenSweep(engine);
  StartBackupSweep(engine);
  StartHistoryTrim(engine);
  StartStatsCheckpoints(engine);
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(const Options& options) {
  auto faults = std::make_shared<FaultRelay>();
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<storage::Store> store, OpenStore(options, faults));
  return Start(std::unique_ptr<Engine>(
      new Engine(std::move(store), options,
                 options.clock != nullptr ? *options.clock : Clock::System(), std::move(faults))));
}

Result<std::unique_ptr<Engine>> Engine::OpenOn(std::unique_ptr<storage::Store> store,
                                               const Options& options, const Clock& clock) {
  return Start(std::unique_ptr<Engine>(
      new Engine(std::move(store), options, clock, std::make_shared<FaultRelay>())));
}

Result<std::unique_ptr<Engine>> Engine::Start(std::unique_ptr<Engine> engine) {
  PJ_RETURN_IF_ERROR(engine->catalog_->Load());
  engine->faults_->NameTablesOf(engine->catalog_.get());
  PJ_RETURN_IF_ERROR(engine->history_numbers_->Load());
  PJ_RETURN_IF_ERROR(engine->streams_->Load(*engine));
  PJ_RETURN_IF_ERROR(LoadStats(*engine->store_, *engine->catalog_));
  engine->counting_ = std::make_unique<Worker>();
  engine->background_ = std::make_unique<Worker>();
  // All holds are noted before anything is released.
  for (const TablePtr& table : engine->catalog_->All()) {
    if (table->restoring) {
      engine->holds_->Add(table->restoring->table, table->restoring->number);
    }
  }
  PJ_RETURN_IF_ERROR(engine->backups_->Load());
  SweepDroppedSpaces(*engine, SpacesInUse(*engine));
  PJ_RETURN_IF_ERROR(ResumeHistories(*engine));
  for (const TablePtr& table : engine->catalog_->All()) {
    Recount(*engine, table->name());
    ResumeTable(*engine, *table);
  }
  PJ_RETURN_IF_ERROR(engine->index_outbox_->Start());
  StartSweeps(*engine);
  return engine;
}

Engine::Engine(std::unique_ptr<storage::Store> store, const Options& options, const Clock& clock,
               std::shared_ptr<FaultRelay> faults)
    : options_(options),
      clock_(clock),
      faults_(std::move(faults)),
      store_(std::move(store)),
      catalog_(std::make_unique<Catalog>(*store_)),
      streams_(std::make_unique<StreamCatalog>(*store_)),
      history_numbers_(std::make_unique<HistoryNumbers>(*store_, clock_)),
      holds_(std::make_unique<HistoryHolds>()),
      backups_(std::make_unique<BackupCatalog>(*this)),
      index_outbox_(std::make_unique<IndexOutbox>(*this, options_.index_lag)),
      stamps_(std::make_unique<StampClock>(clock_)),
      physics_(options_.physics ? std::make_unique<Physics>(*options_.physics, clock_) : nullptr),
      replicas_(options_.stale_reads ? std::make_unique<Replicas>(*options_.stale_reads, clock_)
                                     : nullptr),
      request_metrics_(options_.physics ? std::make_unique<RequestMetrics>(clock_) : nullptr) {}

void Engine::JoinRegions(std::shared_ptr<Regions> regions) {
  joined_regions_ = std::move(regions);
  regions_.store(joined_regions_.get(), std::memory_order_release);
}

Engine::~Engine() {
  faults_->NameTablesOf(nullptr);
  if (background_ == nullptr) {
    return;  // Never opened.
  }
  // Before they go: the last job may still add another.
  background_->Stop();
  background_.reset();
  counting_->Stop();
  counting_.reset();
  index_outbox_->Stop();
  // If one fails, the next start counts again, or its numbers run a second ahead of the clock.
  (void)history_numbers_->Save();
  (void)SaveStats(*store_, *catalog_);
}

}  // namespace prejoin::engine
