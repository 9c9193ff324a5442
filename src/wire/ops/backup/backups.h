// The operations on backups as JSON. One operation, one file, as in operations.h.
#ifndef PREJOIN_WIRE_OPS_BACKUP_BACKUPS_H_
#define PREJOIN_WIRE_OPS_BACKUP_BACKUPS_H_

#include <string>

#include "json/reader.h"
#include "prejoin/backups.h"
#include "prejoin/result.h"

namespace prejoin::wire {

Result<CreateBackupInput> ParseCreateBackupInput(json::Value root);
void PrintCreateBackupOutput(const BackupDetails& output, std::string& out);

Result<std::string> ParseDescribeBackupInput(json::Value root);  // The ARN.
void PrintDescribeBackupOutput(const BackupDescription& output, std::string& out);

Result<std::string> ParseDeleteBackupInput(json::Value root);  // The ARN.
void PrintDeleteBackupOutput(const BackupDescription& output, std::string& out);

Result<ListBackupsInput> ParseListBackupsInput(json::Value root);
void PrintListBackupsOutput(const ListBackupsOutput& output, std::string& out);

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(json::Value root);
void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<std::string> ParseDescribeContinuousBackupsInput(json::Value root);  // The table's name.
void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(json::Value root);
void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out);

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(json::Value root);
void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_BACKUP_BACKUPS_H_
