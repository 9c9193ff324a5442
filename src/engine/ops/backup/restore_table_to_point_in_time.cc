#include "engine/history/backup_errors.h"
#include "engine/history/history.h"
#include "engine/history/restore.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<TableDescription> RestoreTableToPointInTime(Engine& engine, RequestContext& context,
                                                   const RestoreTableToPointInTimeInput& input) {
  if (input.restore_ms.has_value() == input.use_latest_restorable_time) {
    return ValidationError(
        "Either RestoreDateTime or UseLatestRestorableTime must be given, and not both");
  }
  const std::string& source = input.source_table_name;
  const std::int64_t time_ms = input.restore_ms.value_or(engine.clock().NowMs());
  PJ_ASSIGN_OR_RETURN(const HistoryHold hold, HoldMoment(engine, source, time_ms));
  const TablePtr table = engine.catalog().FindOrNull(source);
  if (table == nullptr || table->space != hold.table().space) {
    return BackupTableNotFound(source);  // Deleted meanwhile.
  }
  const RestoreRequest request{
      .target_table_name = input.target_table_name,
      .definition = table,
      .overrides = input.overrides,
      .summary = {.source_table_arn = table->description.arn, .restore_ms = time_ms}};
  return BeginRestore(engine, context, request, hold);
}

}  // namespace prejoin::engine
