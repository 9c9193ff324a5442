// The operations on backups as JSON. One operation, one file, as in operations.h.
#ifndef PREJOIN_WIRE_BACKUPS_H_
#define PREJOIN_WIRE_BACKUPS_H_

#include <string>

#include "prejoin/backups.h"
#include "prejoin/result.h"
#include "wire/json_reader.h"

namespace prejoin::wire {

Result<CreateBackupInput> ParseCreateBackupInput(JsonValue root);
void PrintCreateBackupOutput(const BackupDetails& output, std::string& out);

Result<std::string> ParseDescribeBackupInput(JsonValue root);  // The ARN.
void PrintDescribeBackupOutput(const BackupDescription& output, std::string& out);

Result<std::string> ParseDeleteBackupInput(JsonValue root);  // The ARN.
void PrintDeleteBackupOutput(const BackupDescription& output, std::string& out);

Result<ListBackupsInput> ParseListBackupsInput(JsonValue root);
void PrintListBackupsOutput(const ListBackupsOutput& output, std::string& out);

Result<UpdateContinuousBackupsInput> ParseUpdateContinuousBackupsInput(JsonValue root);
void PrintUpdateContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<std::string> ParseDescribeContinuousBackupsInput(JsonValue root);  // The table's name.
void PrintDescribeContinuousBackupsOutput(const ContinuousBackups& output, std::string& out);

Result<RestoreTableFromBackupInput> ParseRestoreTableFromBackupInput(JsonValue root);
void PrintRestoreTableFromBackupOutput(const TableDescription& output, std::string& out);

Result<RestoreTableToPointInTimeInput> ParseRestoreTableToPointInTimeInput(JsonValue root);
void PrintRestoreTableToPointInTimeOutput(const TableDescription& output, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_BACKUPS_H_
