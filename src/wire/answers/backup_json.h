// How backups are described in answers.
#ifndef PREJOIN_WIRE_ANSWERS_BACKUP_JSON_H_
#define PREJOIN_WIRE_ANSWERS_BACKUP_JSON_H_

#include <string>

#include "json/writer.h"
#include "prejoin/backups.h"

namespace prejoin::wire {

// The members that details and summaries have in common.
void WriteBackupDetails(const BackupDetails& details, json::ObjectWriter& object);
void AppendBackupDescription(const BackupDescription& backup, std::string& out);
void AppendContinuousBackups(const ContinuousBackups& backups, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_BACKUP_JSON_H_
