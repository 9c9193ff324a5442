#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/backup_limits.h"
#include "base/worker.h"
#include "engine/errors.h"
#include "engine/history/backup_catalog.h"
#include "engine/history/history_holds.h"
#include "engine/history/history_numbers.h"
#include "engine/ops/operations.h"
#include "engine/ops/replicas.h"
#include "engine/regions.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space_drop.h"

namespace prejoin::engine {
namespace {

// A replica that cannot be reached for five seconds does not get the last writes of a table that is deleted.
constexpr std::chrono::milliseconds kUnsentCheckInterval(20);
constexpr int kUnsentChecksMax = 250;

// Backups, restores and exports go on reading the items and their history.
std::vector<std::uint32_t> SpacesToDrop(Engine& engine, const Table& table) {
  std::vector<std::uint32_t> spaces = SpacesOf(table);
  if (table.history && engine.holds().Lowest(table.space)) {
    std::erase(spaces, table.space);
    std::erase(spaces, table.history->space);
  }
  return spaces;
}

// A table with point-in-time recovery leaves a backup of its last state, for as long as it could
// have been restored. Made before the table goes, so that no crash can lose it.
Result<std::string> MakeSystemBackup(Engine& engine, const Table& table) {
  PJ_ASSIGN_OR_RETURN(const SequenceNumber number, engine.history_numbers().Next());
  PJ_ASSIGN_OR_RETURN(
      const auto made,
      engine.backups().Make(table, {.name = table.name() + "$DeletedTableBackup",
                                    .type = BackupType::kSystem,
                                    .number = number,
                                    .expires_ms = engine.clock().NowMs() + kSystemBackupLifeMs}));
  return made.backup->details.arn;
}

Status CheckDeletable(const Table& table) {
  if (table.description.status == TableStatus::kCreating) {
    PJ_RETURN_IF_ERROR(CheckNotInUse(table));
  }
  if (std::ranges::any_of(table.vector_indexes, [](const VectorIndex& index) {
        return index.description.status != IndexStatus::kActive;
      })) {
    return ResourceInUse(
        "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
        "being created, updated, or deleted.");
  }
  PJ_RETURN_IF_ERROR(CheckNotInUse(table));
  if (table.description.deletion_protection) {
    return ValidationError(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion "
        "protection first.");
  }
  return {};
}

Result<TableDescription> RemoveTable(Engine& engine, RequestContext& context,
                                     const std::string& table_name) {
  TableDescription description;
  std::vector<std::uint32_t> spaces_to_drop;
  StreamPtr retired_stream;
  SequenceNumber retired_at = 0;
  std::string backup_arn;
  const auto change = engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr) {
          return TableNotFound(table_name);
        }
        if (current->description.status != TableStatus::kDeleting) {
          PJ_RETURN_IF_ERROR(CheckDeletable(*current));
        }
        description = Describe(*current);
        if (current->recovery) {
          PJ_ASSIGN_OR_RETURN(backup_arn, MakeSystemBackup(engine, *current));
        }
        spaces_to_drop = SpacesToDrop(engine, *current);
        if (current->stream != nullptr) {
          // Its records can be read for another day.
          retired_stream = current->stream;
          PJ_ASSIGN_OR_RETURN(retired_at,
                              engine.streams().Retire(retired_stream, engine.clock().NowMs()));
        }
        return std::unique_ptr<Table>();
      });
  if (!change) {
    if (!backup_arn.empty()) {
      // If that fails too, the next start finds the table there.
      (void)engine.backups().Remove(backup_arn);
    }
    return change.error();
  }
  context.Saw(change->ticket);
  if (retired_stream != nullptr) {
    engine.streams().Close(retired_stream, retired_at);
  }
  DropSpaces(engine, std::move(spaces_to_drop), change->old_retired);
  description.status = TableStatus::kDeleting;
  return description;
}

// The table is there for a while, and DELETING.
Result<TableDescription> BeginDeleting(Engine& engine, RequestContext& context,
                                       const std::string& table_name) {
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(table_name);
            }
            PJ_RETURN_IF_ERROR(CheckDeletable(*current));
            auto next = CopyOf(*current);
            next->description.status = TableStatus::kDeleting;
            return next;
          }));
  context.Saw(change.ticket);
  const std::int64_t due_ms = EndOfState(engine, &StateOptions::deleting);
  if (change.table->replication) {
    // Writers who still see the table ACTIVE leave notes, which others are to get.
    engine.background().Add(
        [&engine, table_name, due_ms] { FinishDeletingAt(engine, table_name, due_ms); },
        change.old_writers_gone);
  } else {
    FinishDeletingAt(engine, table_name, due_ms);
  }
  return Describe(*change.table);
}

// The table goes when its replicas have its last writes, but no later than after so many looks.
void FinishDeleting(Engine& engine, const std::string& table_name, int looks_left) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr || table->description.status != TableStatus::kDeleting) {
    return;
  }
  if (looks_left > 0 && HasUnsentWrites(engine, *table)) {
    engine.background().AddLater(kUnsentCheckInterval, [&engine, table_name, looks_left] {
      FinishDeleting(engine, table_name, looks_left - 1);
    });
    return;
  }
  RequestContext context = BeginRequest(engine);
  if (!RemoveTable(engine, context, table_name)) {
    constexpr std::int64_t kRetryMs = 1'000;
    FinishDeletingAt(engine, table_name, engine.clock().NowMs() + kRetryMs);
  } else if (engine.regions() != nullptr && table->replication) {
    engine.regions()->Changed();
  }
}

}  // namespace

void FinishDeletingAt(Engine& engine, const std::string& table_name, std::int64_t due_ms) {
  RunAt(engine, due_ms,
        [&engine, table_name] { FinishDeleting(engine, table_name, kUnsentChecksMax); });
}

Result<TableDescription> DeleteReplica(Engine& engine, RequestContext& context,
                                       const std::string& table_name) {
  {
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    if (table == nullptr) {
      return TableNotFound(table_name);
    }
    if (table->replication) {
      PJ_RETURN_IF_ERROR(CheckLeaving(engine, *table));
    }
  }
  return BeginDeleting(engine, context, table_name);
}

Result<TableDescription> DeleteTable(Engine& engine, RequestContext& context,
                                     const std::string& table_name) {
  const auto has_replicas = [&] {
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    return table != nullptr && table->replication;
  };
  if (engine.regions() != nullptr && has_replicas()) {
    const MutexLock lock(engine.regions()->changes());
    return DeleteReplica(engine, context, table_name);
  }
  return engine.options().states ? BeginDeleting(engine, context, table_name)
                                 : RemoveTable(engine, context, table_name);
}

}  // namespace prejoin::engine
