#include "engine/history/backup_catalog.h"
#include "engine/history/backup_errors.h"
#include "engine/history/history.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<BackupDetails> CreateBackup(Engine& engine, RequestContext& context,
                                   const CreateBackupInput& input) {
  PJ_ASSIGN_OR_RETURN(const HistoryHold hold, HoldHistory(engine, input.table_name));
  const TablePtr table = engine.catalog().FindOrNull(input.table_name);
  if (table == nullptr || table->space != hold.table().space) {
    return BackupTableNotFound(input.table_name);  // Deleted meanwhile.
  }
  PJ_ASSIGN_OR_RETURN(const auto made, engine.backups().Make(*table, {.name = input.backup_name,
                                                                      .number = hold.number()}));
  context.Saw(made.ticket);
  // It is there, but DynamoDB's answer always says CREATING, and programs wait for AVAILABLE after
  // it.
  BackupDetails details = made.backup->details;
  details.status = BackupStatus::kCreating;
  return details;
}

}  // namespace prejoin::engine
