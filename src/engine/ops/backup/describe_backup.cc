#include "engine/history/backup_catalog.h"
#include "engine/history/backup_errors.h"
#include "engine/ops/operations.h"

namespace prejoin::engine {

Result<BackupDescription> DescribeBackup(Engine& engine, RequestContext&, const std::string& arn) {
  if (const BackupPtr backup = engine.backups().Find(arn)) {
    return Describe(*backup);
  }
  return BackupNotFound(arn);
}

}  // namespace prejoin::engine
