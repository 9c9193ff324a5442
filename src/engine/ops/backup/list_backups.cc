#include "engine/history/backup_catalog.h"
#include "engine/ops/operations.h"
#include "engine/table/lasting_states.h"

namespace prejoin::engine {
namespace {

bool IsAskedFor(const ListBackupsInput& input, const Backup& backup) {
  const BackupDetails& details = backup.details;
  return (!input.table_name || *input.table_name == backup.table->name()) &&
         (!input.type || *input.type == details.type) &&
         (!input.from_ms || details.created_ms >= *input.from_ms) &&
         (!input.to_ms || details.created_ms < *input.to_ms) &&
         (!input.exclusive_start_backup_arn || details.arn > *input.exclusive_start_backup_arn);
}

}  // namespace

Result<ListBackupsOutput> ListBackups(Engine& engine, RequestContext&,
                                      const ListBackupsInput& input) {
  constexpr std::size_t kPageMax = 100;
  const std::size_t limit = input.limit ? static_cast<std::size_t>(*input.limit) : kPageMax;
  ListBackupsOutput output;
  for (const BackupPtr& backup : engine.backups().All()) {
    if (!IsAskedFor(input, *backup)) {
      continue;
    }
    if (output.backups.size() == limit) {
      output.last_evaluated_backup_arn = output.backups.back().details.arn;
      break;
    }
    const TableDescription& table = backup->table->description;
    output.backups.push_back({.details = backup->details,
                              .table_name = table.table_name,
                              .table_id = table.table_id,
                              .table_arn = table.arn});
    if (Lasts(engine, backup->details.created_ms, &StateOptions::creating_backup)) {
      output.backups.back().details.status = BackupStatus::kCreating;
    }
  }
  return output;
}

}  // namespace prejoin::engine
