#include "engine/history/backup_catalog.h"
#include "engine/history/backup_errors.h"
#include "engine/ops/operations.h"
#include "engine/table/lasting_states.h"

namespace prejoin::engine {

Result<BackupDescription> DescribeBackup(Engine& engine, RequestContext&, const std::string& arn) {
  if (const BackupPtr backup = engine.backups().Find(arn)) {
    BackupDescription description = Describe(*backup);
    if (Lasts(engine, description.details.created_ms, &StateOptions::creating_backup)) {
      description.details.status = BackupStatus::kCreating;
    }
    return description;
  }
  return BackupNotFound(arn);
}

}  // namespace prejoin::engine
