// Tables and indexes as a caller describes them and as the database describes them back.
#ifndef PREJOIN_TABLE_H_
#define PREJOIN_TABLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace prejoin {

enum class KeyType { kHash, kRange };
enum class ScalarType { kString, kNumber, kBinary };

struct KeySchemaElement {
  std::string attribute_name;
  KeyType key_type = KeyType::kHash;
  friend bool operator==(const KeySchemaElement&, const KeySchemaElement&) = default;
};

// Tables and local indexes: one HASH, at most one RANGE. Global indexes: one to four HASH, then up
// to four RANGE.
using KeySchema = std::vector<KeySchemaElement>;

struct AttributeDefinition {
  std::string attribute_name;
  ScalarType type = ScalarType::kString;
  friend bool operator==(const AttributeDefinition&, const AttributeDefinition&) = default;
};

enum class ProjectionType { kAll, kKeysOnly, kInclude };

struct Projection {
  // Nullopt when a request left it out: an error for an index, with DynamoDB's text.
  std::optional<ProjectionType> type;
  std::optional<std::vector<std::string>> non_key_attributes;
  friend bool operator==(const Projection&, const Projection&) = default;
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
  friend bool operator==(const ProvisionedThroughput&, const ProvisionedThroughput&) = default;
};

struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units;
  std::optional<std::int64_t> max_write_request_units;
  friend bool operator==(const OnDemandThroughput&, const OnDemandThroughput&) = default;
};

struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second;
  std::optional<std::int64_t> write_units_per_second;
};

enum class BillingMode { kProvisioned, kPayPerRequest };
enum class TableStatus { kCreating, kActive, kUpdating, kDeleting };
enum class IndexStatus { kCreating, kActive, kUpdating, kDeleting };
enum class TableClass { kStandard, kStandardInfrequentAccess };
enum class StreamViewType { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

struct StreamSpecification {
  bool enabled = false;
  std::optional<StreamViewType> view_type;
};

struct SseSpecification {
  bool enabled = false;
  std::optional<std::string> type;  // "AES256" or "KMS".
  std::optional<std::string> kms_key;
};

struct Tag {
  std::string key;
  std::string value;
};

// One secondary index in a request.
struct IndexSpecification {
  std::string index_name;
  KeySchema key_schema;
  std::optional<Projection> projection;
  std::optional<ProvisionedThroughput>
      provisioned_throughput;  // Global indexes only, as are the next two.
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

struct IndexDescription {
  std::string index_name;
  KeySchema key_schema;
  Projection projection;
  std::string arn;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  // Global indexes only.
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  ProvisionedThroughput provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

enum class VectorDistance { kCosine, kEuclidean, kDotProduct };

// kHash: items are searched by its value only, each value apart. kInlineFilter: a search may ask for a value.
enum class SearchSchemaType { kHash, kInlineFilter };

struct SearchSchemaElement {
  std::string attribute_name;
  SearchSchemaType type = SearchSchemaType::kInlineFilter;
  friend bool operator==(const SearchSchemaElement&, const SearchSchemaElement&) = default;
};

// One vector index in a request.
struct VectorIndexSpecification {
  std::string index_name;
  std::string vector_attribute;
  std::int64_t dimensions = 0;
  VectorDistance distance = VectorDistance::kCosine;
  std::optional<Projection> projection;
  std::vector<SearchSchemaElement> search_schema;
  friend bool operator==(const VectorIndexSpecification&,
                         const VectorIndexSpecification&) = default;
};

struct VectorIndexDescription {
  VectorIndexSpecification definition;
  std::string arn;
  IndexStatus status = IndexStatus::kActive;
  std::optional<bool> backfilling;  // Only while the index is being made for an existing table.
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

// The source of a restored table's items.
struct RestoreSummary {
  std::optional<std::string> source_backup_arn;  // Nullopt: from the table itself.
  std::string source_table_arn;
  std::int64_t restore_ms = 0;  // The moment it shows.
  bool in_progress = false;
};

enum class ReplicaStatus { kCreating, kActive, kDeleting };

// A replica of the table in another region.
struct ReplicaDescription {
  std::string region_name;
  ReplicaStatus status = ReplicaStatus::kActive;
  std::vector<std::string> global_index_names;
  std::optional<TableClass> table_class;  // If it was ever set.
  std::optional<std::string> kms_key;
};

struct TableDescription {
  std::string table_name;
  std::string table_id;  // UUID.
  std::string arn;
  TableStatus status = TableStatus::kActive;
  std::int64_t created_ms = 0;
  KeySchema key_schema;
  std::vector<AttributeDefinition> attribute_definitions;
  BillingMode billing_mode = BillingMode::kProvisioned;
  bool billing_mode_given =
      false;  // DynamoDB shows BillingModeSummary only if the table was ever on demand.
  std::int64_t on_demand_since_ms = 0;
  ProvisionedThroughput provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<TableClass> table_class;
  bool deletion_protection = false;
  std::optional<StreamSpecification> stream;
  std::string stream_label;  // Empty unless a stream was ever enabled.
  std::optional<SseSpecification> sse;
  std::optional<RestoreSummary> restore;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  std::vector<IndexDescription> local_indexes;
  std::vector<IndexDescription> global_indexes;
  std::vector<VectorIndexDescription> vector_indexes;
  // In other regions. Nullopt: the table is in one region only.
  std::optional<std::vector<ReplicaDescription>> replicas;
};

}  // namespace prejoin

#endif  // PREJOIN_TABLE_H_
