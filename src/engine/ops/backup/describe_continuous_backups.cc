#include "engine/history/backup_errors.h"
#include "engine/history/history.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<ContinuousBackups> DescribeContinuousBackups(Engine& engine, RequestContext&,
                                                    const std::string& table_name) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return BackupTableNotFound(table_name);
  }
  ContinuousBackups backups;
  if (const auto& recovery = table->recovery) {
    const RecoveryWindow window = WindowOf(*recovery, engine.clock().NowMs());
    backups.point_in_time_recovery = PointInTimeRecovery{.period_days = recovery->days,
                                                         .earliest_ms = window.earliest_ms,
                                                         .latest_ms = window.latest_ms};
  }
  return backups;
}

}  // namespace prejoin::engine
