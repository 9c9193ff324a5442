#include "engine/table/lasting_states.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/worker.h"
#include "engine/errors.h"
#include "engine/physics/physics.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

// The interval at which a job checks the clock. Moving a virtual clock makes all of them check.
constexpr std::chrono::milliseconds kStateCheckInterval(20);
constexpr std::int64_t kStateRetryMs = 1'000;

}  // namespace

std::int64_t EndOfState(Engine& engine, std::int64_t StateOptions::*seconds) {
  return engine.options().states
             ? engine.clock().NowMs() + *engine.options().states.*seconds * 1'000
             : 0;
}

bool Lasts(Engine& engine, std::int64_t created_ms, std::int64_t StateOptions::*seconds) {
  return engine.options().states &&
         engine.clock().NowMs() < created_ms + *engine.options().states.*seconds * 1'000;
}

void RunAt(Engine& engine, std::int64_t due_ms, std::function<void()> job) {
  if (engine.clock().NowMs() >= due_ms) {
    job();
    return;
  }
  engine.background().AddLater(kStateCheckInterval,
                               [&engine, due_ms, job = std::move(job)]() mutable {
                                 RunAt(engine, due_ms, std::move(job));
                               });
}

void ActivateAt(Engine& engine, const Table& table, std::int64_t due_ms) {
  RunAt(engine, due_ms, [&engine, name = table.name(), space = table.space] {
    const auto change = engine.catalog().Change(
        name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
          if (current == nullptr || current->space != space) {
            return ResourceNotFound("the table is gone");
          }
          auto next = CopyOf(*current);
          if (next->description.status != TableStatus::kDeleting) {
            next->description.status = TableStatus::kActive;
          }
          return next;
        });
    if (!change) {
      const TablePtr again = engine.catalog().FindOrNull(name);
      if (again != nullptr && again->space == space) {  // The disk was full, for example.
        ActivateAt(engine, *again, engine.clock().NowMs() + kStateRetryMs);
      }
      return;
    }
    if (engine.physics() != nullptr) {
      engine.physics()->Changed(*change->table);
    }
  });
}

Status CheckNotInUse(const Table& table) {
  const TableStatus status = StatusOf(table);
  if (status == TableStatus::kActive) {
    return {};
  }
  const std::string done = status == TableStatus::kCreating   ? "created"
                           : status == TableStatus::kDeleting ? "deleted"
                                                              : "updated";
  return ResourceInUse("Attempt to change a resource which is still in use: Table is being " + done +
                       ": " + table.name());
}

}  // namespace prejoin::engine
