#include <algorithm>

#include "engine/history/backup_catalog.h"
#include "engine/history/backup_errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"

namespace prejoin::engine {
namespace {

bool IsBeingRestored(Engine& engine, const std::string& arn) {
  return std::ranges::any_of(engine.catalog().All(), [&](const TablePtr& table) {
    return table->restoring && table->description.restore->source_backup_arn == arn;
  });
}

}  // namespace

Result<BackupDescription> DeleteBackup(Engine& engine, RequestContext& context,
                                       const std::string& arn) {
  if (IsBeingRestored(engine, arn)) {
    return Error{ErrorCode::kBackupInUse, "Backup is being used to restore a table: " + arn};
  }
  if (const BackupPtr backup = engine.backups().Find(arn);
      backup != nullptr &&
      Lasts(engine, backup->details.created_ms, &StateOptions::creating_backup)) {
    return Error{ErrorCode::kBackupInUse, "Backup is being created: " + arn};
  }
  PJ_ASSIGN_OR_RETURN(const auto removed, engine.backups().Remove(arn));
  if (removed.backup == nullptr) {
    return BackupNotFound(arn);
  }
  context.Saw(removed.ticket);
  BackupDescription description = Describe(*removed.backup);
  description.details.status = BackupStatus::kDeleted;
  return description;
}

}  // namespace prejoin::engine
