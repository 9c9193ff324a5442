// The operations on backups. One operation, one file, as in operations.h.
#ifndef PREJOIN_ENGINE_OPS_BACKUP_BACKUPS_H_
#define PREJOIN_ENGINE_OPS_BACKUP_BACKUPS_H_

#include <string>

#include "engine/engine.h"
#include "prejoin/backups.h"
#include "prejoin/result.h"
#include "prejoin/table.h"

namespace prejoin::engine {

Result<BackupDetails> CreateBackup(Engine&, RequestContext&, const CreateBackupInput&);
Result<BackupDescription> DescribeBackup(Engine&, RequestContext&, const std::string& arn);
Result<BackupDescription> DeleteBackup(Engine&, RequestContext&, const std::string& arn);
Result<ListBackupsOutput> ListBackups(Engine&, RequestContext&, const ListBackupsInput&);

Result<ContinuousBackups> UpdateContinuousBackups(Engine&, RequestContext&,
                                                  const UpdateContinuousBackupsInput&);
Result<ContinuousBackups> DescribeContinuousBackups(Engine&, RequestContext&,
                                                    const std::string& table_name);

Result<TableDescription> RestoreTableFromBackup(Engine&, RequestContext&,
                                                const RestoreTableFromBackupInput&);
Result<TableDescription> RestoreTableToPointInTime(Engine&, RequestContext&,
                                                   const RestoreTableToPointInTimeInput&);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_BACKUP_BACKUPS_H_
