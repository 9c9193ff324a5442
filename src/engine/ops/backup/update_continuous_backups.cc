#include <algorithm>
#include <memory>
#include <optional>

#include "base/backup_limits.h"
#include "engine/history/backup_errors.h"
#include "engine/history/history.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

// Changes the table that the caller means, if it is still there.
Result<CatalogChange> ChangeRecovery(Engine& engine, const std::string& table_name,
                                     const std::optional<KeptTable>& kept,
                                     FunctionRef<void(Table& table)> edit) {
  return engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || (kept && current->space != kept->space)) {
          return BackupTableNotFound(table_name);
        }
        auto next = CopyOf(*current);
        edit(*next);
        return next;
      });
}

Result<CatalogChange> Enable(Engine& engine, const std::string& table_name, int days) {
  PJ_ASSIGN_OR_RETURN(const HistoryHold hold, HoldHistory(engine, table_name));
  return ChangeRecovery(engine, table_name, hold.table(), [&](Table& table) {
    SequenceNumber since = hold.number();
    if (table.recovery) {
      // A longer period does not restore history that a shorter one has dropped.
      since = std::max(table.recovery->since,
                       SequenceAt(WindowOf(*table.recovery, engine.clock().NowMs()).earliest_ms));
    }
    table.recovery = Recovery{.days = days, .since = since};
  });
}

Result<CatalogChange> Disable(Engine& engine, const std::string& table_name) {
  std::optional<KeptTable> kept;
  PJ_ASSIGN_OR_RETURN(
      CatalogChange change, ChangeRecovery(engine, table_name, std::nullopt, [&](Table& table) {
        table.recovery.reset();
        if (table.history) {
          kept = KeptTable{.space = table.space, .history_space = table.history->space};
        }
      }));
  if (kept) {
    ReleaseHistoryLater(engine, table_name, *kept);
  }
  return change;
}

}  // namespace

Result<ContinuousBackups> UpdateContinuousBackups(Engine& engine, RequestContext& context,
                                                  const UpdateContinuousBackupsInput& input) {
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      input.point_in_time_recovery_enabled
          ? Enable(engine, input.table_name, input.recovery_period_days.value_or(kRecoveryDaysMax))
          : Disable(engine, input.table_name));
  context.Saw(change.ticket);
  return DescribeContinuousBackups(engine, context, input.table_name);
}

}  // namespace prejoin::engine
