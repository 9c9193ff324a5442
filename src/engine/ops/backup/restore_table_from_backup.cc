#include "engine/history/backup_catalog.h"
#include "engine/history/backup_errors.h"
#include "engine/history/history.h"
#include "engine/history/history_numbers.h"
#include "engine/history/restore.h"
#include "engine/ops/operations.h"

namespace prejoin::engine {

Result<TableDescription> RestoreTableFromBackup(Engine& engine, RequestContext& context,
                                                const RestoreTableFromBackupInput& input) {
  const auto held = engine.backups().Hold(input.backup_arn);
  if (!held) {
    return BackupNotFound(input.backup_arn);
  }
  const Backup& backup = *held->backup;
  // One that was made with the deletion of its table did not wait.
  engine.history_numbers().AwaitFinished(backup.number);
  const RestoreRequest request{.target_table_name = input.target_table_name,
                               .definition = backup.table,
                               .overrides = input.overrides,
                               .summary = {.source_backup_arn = backup.details.arn,
                                           .source_table_arn = backup.table->description.arn,
                                           .restore_ms = backup.details.created_ms}};
  return BeginRestore(engine, context, request, held->hold);
}

}  // namespace prejoin::engine
