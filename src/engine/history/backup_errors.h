// Errors that several operations on backups give.
#ifndef PREJOIN_ENGINE_HISTORY_BACKUP_ERRORS_H_
#define PREJOIN_ENGINE_HISTORY_BACKUP_ERRORS_H_

#include <string>

#include "prejoin/result.h"

namespace prejoin::engine {

inline Error BackupNotFound(const std::string& arn) {
  return Error{ErrorCode::kBackupNotFound, "Backup not found: " + arn};
}
// The operations on backups have an exception of their own for this.
inline Error BackupTableNotFound(const std::string& table_name) {
  return Error{ErrorCode::kTableNotFound, "Table not found: " + table_name};
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_BACKUP_ERRORS_H_
