// Backups of tables and point-in-time recovery. Named as in DynamoDB's API Reference.
#ifndef PREJOIN_BACKUPS_H_
#define PREJOIN_BACKUPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/table.h"
#include "prejoin/time_to_live.h"

namespace prejoin {

struct CreateBackupInput {
  std::string table_name;
  std::string backup_name;
};

enum class BackupType { kUser, kSystem, kAwsBackup };
enum class BackupStatus { kCreating, kDeleted, kAvailable };

struct BackupDetails {
  std::string arn;
  std::string name;
  std::int64_t size_bytes = 0;
  BackupStatus status = BackupStatus::kAvailable;
  BackupType type = BackupType::kUser;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> expires_ms;  // Only of those made by the service itself.
};

struct BackupDescription {
  BackupDetails details;
  TableDescription table;  // The table as it was.
  TimeToLiveDescription time_to_live;
};

struct ListBackupsInput {
  std::optional<std::string> table_name;
  std::optional<std::int32_t> limit;
  std::optional<std::int64_t> from_ms;
  std::optional<std::int64_t> to_ms;  // Not included.
  std::optional<std::string> exclusive_start_backup_arn;
  // Nullopt: those of every type.
  std::optional<BackupType> type = BackupType::kUser;
};

struct BackupSummary {
  BackupDetails details;
  std::string table_name;
  std::string table_id;
  std::string table_arn;
};

struct ListBackupsOutput {
  std::vector<BackupSummary> backups;
  std::optional<std::string> last_evaluated_backup_arn;
};

struct UpdateContinuousBackupsInput {
  std::string table_name;
  bool point_in_time_recovery_enabled = false;
  std::optional<std::int32_t> recovery_period_days;
};

struct PointInTimeRecovery {
  std::int32_t period_days = 0;
  std::int64_t earliest_ms = 0;
  std::int64_t latest_ms = 0;
};

struct ContinuousBackups {
  std::optional<PointInTimeRecovery> point_in_time_recovery;  // Nullopt: disabled.
};

// The settings in which a restored table differs from its source.
struct RestoreOverrides {
  std::optional<BillingMode> billing_mode;
  // The indexes to keep, each as the source has it; nullopt: all.
  std::optional<std::vector<IndexSpecification>> global_indexes;
  std::optional<std::vector<IndexSpecification>> local_indexes;
  std::optional<std::vector<VectorIndexSpecification>> vector_indexes;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<SseSpecification> sse;
};

struct RestoreTableFromBackupInput {
  std::string target_table_name;
  std::string backup_arn;
  RestoreOverrides overrides;
};

struct RestoreTableToPointInTimeInput {
  std::string source_table_name;
  std::string target_table_name;
  // Exactly one of the two.
  bool use_latest_restorable_time = false;
  std::optional<std::int64_t> restore_ms;  // Writes of this millisecond are included.
  RestoreOverrides overrides;
};

}  // namespace prejoin

#endif  // PREJOIN_BACKUPS_H_
