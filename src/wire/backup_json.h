// How backups are described in answers.
#ifndef PREJOIN_WIRE_BACKUP_JSON_H_
#define PREJOIN_WIRE_BACKUP_JSON_H_

#include <string>

#include "prejoin/backups.h"
#include "wire/json_writer.h"

namespace prejoin::wire {

// The members that details and summaries have in common.
void WriteBackupDetails(const BackupDetails& details, ObjectWriter& object);
void AppendBackupDescription(const BackupDescription& backup, std::string& out);
void AppendContinuousBackups(const ContinuousBackups& backups, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_BACKUP_JSON_H_
