#include "wire/answers/backup_json.h"

#include "json/enum_names.h"
#include "json/writer.h"
#include "wire/answers/table_json.h"

namespace prejoin::wire {
namespace {

constexpr json::EnumName<BackupType> kBackupTypeNames[] = {
    {"USER", BackupType::kUser},
    {"SYSTEM", BackupType::kSystem},
    {"AWS_BACKUP", BackupType::kAwsBackup},
};
constexpr json::EnumName<BackupStatus> kBackupStatusNames[] = {
    {"CREATING", BackupStatus::kCreating},
    {"DELETED", BackupStatus::kDeleted},
    {"AVAILABLE", BackupStatus::kAvailable},
};

void WriteSourceTable(const TableDescription& table, json::ObjectWriter& object) {
  json::ObjectWriter details(object.Name("SourceTableDetails"));
  details.String("TableName", table.table_name);
  details.String("TableId", table.table_id);
  details.String("TableArn", table.arn);
  details.Integer("TableSizeBytes", table.size_bytes);
  WriteKeySchema(table.key_schema, details);
  details.Time("TableCreationDateTime", table.created_ms);
  {
    json::ObjectWriter throughput(details.Name("ProvisionedThroughput"));
    throughput.Integer("ReadCapacityUnits", table.provisioned_throughput.read_capacity_units);
    throughput.Integer("WriteCapacityUnits", table.provisioned_throughput.write_capacity_units);
  }
  WriteOnDemand(table.on_demand_throughput, details);
  details.Integer("ItemCount", table.item_count);
  details.String("BillingMode", json::NameOf(json::kBillingModeNames, table.billing_mode));
}

enum class BackedUpKind { kLocal, kGlobal };

void WriteBackedUpIndexes(std::string_view name, const std::vector<IndexDescription>& indexes,
                          BackedUpKind kind, json::ObjectWriter& object) {
  if (indexes.empty()) {
    return;
  }
  std::string& out = object.Name(name);
  json::AppendArray(indexes, out, [&](const IndexDescription& index) {
    json::ObjectWriter entry(out);
    entry.String("IndexName", index.index_name);
    WriteKeySchema(index.key_schema, entry);
    WriteProjection(index.projection, entry);
    if (kind == BackedUpKind::kGlobal) {
      json::ObjectWriter throughput(entry.Name("ProvisionedThroughput"));
      throughput.Integer("ReadCapacityUnits", index.provisioned_throughput.read_capacity_units);
      throughput.Integer("WriteCapacityUnits", index.provisioned_throughput.write_capacity_units);
    }
    WriteOnDemand(index.on_demand_throughput, entry);
  });
}

void WriteFeatures(const BackupDescription& backup, json::ObjectWriter& object) {
  const TableDescription& table = backup.table;
  json::ObjectWriter features(object.Name("SourceTableFeatureDetails"));
  WriteBackedUpIndexes("LocalSecondaryIndexes", table.local_indexes, BackedUpKind::kLocal,
                       features);
  WriteBackedUpIndexes("GlobalSecondaryIndexes", table.global_indexes, BackedUpKind::kGlobal,
                       features);
  if (!table.vector_indexes.empty()) {
    std::string& out = features.Name("VectorIndexes");
    json::AppendArray(table.vector_indexes, out, [&](const VectorIndexDescription& index) {
      json::ObjectWriter entry(out);
      WriteVectorDefinition(index.definition, entry);
    });
  }
  if (table.stream.has_value() && table.stream->enabled) {
    json::ObjectWriter stream(features.Name("StreamDescription"));
    stream.Bool("StreamEnabled", true);
    if (table.stream->view_type.has_value()) {
      stream.String("StreamViewType",
                    json::NameOf(json::kStreamViewTypeNames, *table.stream->view_type));
    }
  }
  if (backup.time_to_live.status != TimeToLiveStatus::kDisabled) {
    json::ObjectWriter expiry(features.Name("TimeToLiveDescription"));
    expiry.String("TimeToLiveStatus", "ENABLED");
    expiry.String("AttributeName", backup.time_to_live.attribute_name);
  }
  WriteSse(table.sse, table.arn, features);
}

}  // namespace

void WriteBackupDetails(const BackupDetails& details, json::ObjectWriter& object) {
  object.String("BackupArn", details.arn);
  object.String("BackupName", details.name);
  object.Integer("BackupSizeBytes", details.size_bytes);
  object.String("BackupStatus", json::NameOf(kBackupStatusNames, details.status));
  object.String("BackupType", json::NameOf(kBackupTypeNames, details.type));
  object.Time("BackupCreationDateTime", details.created_ms);
  if (details.expires_ms.has_value()) {
    object.Time("BackupExpiryDateTime", *details.expires_ms);
  }
}

void AppendBackupDescription(const BackupDescription& backup, std::string& out) {
  json::ObjectWriter object(out);
  {
    json::ObjectWriter details(object.Name("BackupDetails"));
    WriteBackupDetails(backup.details, details);
  }
  WriteSourceTable(backup.table, object);
  WriteFeatures(backup, object);
}

void AppendContinuousBackups(const ContinuousBackups& backups, std::string& out) {
  json::ObjectWriter object(out);
  // A table can always be backed up; what can be off is point-in-time recovery.
  object.String("ContinuousBackupsStatus", "ENABLED");
  json::ObjectWriter recovery(object.Name("PointInTimeRecoveryDescription"));
  const auto& enabled = backups.point_in_time_recovery;
  recovery.String("PointInTimeRecoveryStatus", enabled.has_value() ? "ENABLED" : "DISABLED");
  if (enabled.has_value()) {
    recovery.Integer("RecoveryPeriodInDays", enabled->period_days);
    recovery.Time("EarliestRestorableDateTime", enabled->earliest_ms);
    recovery.Time("LatestRestorableDateTime", enabled->latest_ms);
  }
}

}  // namespace prejoin::wire
