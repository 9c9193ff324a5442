#include "wire/answers/table_json.h"

#include "json/enum_names.h"
#include "json/writer.h"

namespace prejoin::wire {
namespace {

// A list of attributes, each with one word about it.
template <class Element>
void WriteAttributes(std::string_view member, const std::vector<Element>& elements,
                     json::ObjectWriter& object, std::string_view word_member, auto word_of) {
  std::string& out = object.Name(member);
  json::AppendArray(elements, out, [&](const Element& element) {
    json::ObjectWriter entry(out);
    entry.String("AttributeName", element.attribute_name);
    entry.String(word_member, word_of(element));
  });
}

void WriteDefinitions(const std::vector<AttributeDefinition>& definitions,
                      json::ObjectWriter& object) {
  WriteAttributes("AttributeDefinitions", definitions, object, "AttributeType",
                  [](const AttributeDefinition& definition) {
                    return json::NameOf(json::kScalarTypeNames, definition.type);
                  });
}

void WriteProvisioned(const ProvisionedThroughput& throughput, json::ObjectWriter& object) {
  json::ObjectWriter entry(object.Name("ProvisionedThroughput"));
  entry.Integer("NumberOfDecreasesToday", 0);
  entry.Integer("ReadCapacityUnits", throughput.read_capacity_units);
  entry.Integer("WriteCapacityUnits", throughput.write_capacity_units);
}

// Exists without a request: on-demand tables begin with AWS's default, others with what they have.
void WriteWarm(const std::optional<WarmThroughput>& given, const ProvisionedThroughput& provisioned,
               json::ObjectWriter& object) {
  constexpr std::int64_t kOnDemandReads = 12000;
  constexpr std::int64_t kOnDemandWrites = 4000;
  const bool on_demand = provisioned.read_capacity_units == 0;
  const WarmThroughput warm = given.value_or(WarmThroughput());
  json::ObjectWriter entry(object.Name("WarmThroughput"));
  entry.Integer("ReadUnitsPerSecond",
                warm.read_units_per_second.value_or(on_demand ? kOnDemandReads
                                                              : provisioned.read_capacity_units));
  entry.Integer("WriteUnitsPerSecond",
                warm.write_units_per_second.value_or(on_demand ? kOnDemandWrites
                                                               : provisioned.write_capacity_units));
  entry.String("Status", "ACTIVE");
}

// arn:aws:kms:REGION:ACCOUNT:key/ID, in the region and account of the table.
std::string KmsArn(const std::string& key, const std::string& table_arn) {
  constexpr std::string_view kService = ":dynamodb:";
  const std::size_t begin = table_arn.find(kService);
  const std::size_t end = table_arn.find(":table/");
  if (key.starts_with("arn:") || begin == std::string::npos || end == std::string::npos) {
    return key;
  }
  const std::size_t place = begin + kService.size();
  return "arn:aws:kms:" + table_arn.substr(place, end - place) +
         (key.starts_with("alias/") ? ":" : ":key/") + key;
}

enum class IndexKind { kLocal, kGlobal };

void AppendIndex(const IndexDescription& index, IndexKind kind, std::string& out) {
  json::ObjectWriter object(out);
  object.String("IndexName", index.index_name);
  WriteKeySchema(index.key_schema, object);
  WriteProjection(index.projection, object);
  if (kind == IndexKind::kGlobal) {
    object.String("IndexStatus", json::NameOf(json::kIndexStatusNames, index.status));
    if (index.backfilling) {
      object.Bool("Backfilling", true);
    }
    WriteProvisioned(index.provisioned_throughput, object);
    WriteOnDemand(index.on_demand_throughput, object);
    WriteWarm(index.warm_throughput, index.provisioned_throughput, object);
  }
  object.Integer("IndexSizeBytes", index.size_bytes);
  object.Integer("ItemCount", index.item_count);
  object.String("IndexArn", index.arn);
}

void WriteDescribedIndexes(std::string_view name, const std::vector<IndexDescription>& indexes,
                           IndexKind kind, json::ObjectWriter& object) {
  if (indexes.empty()) {
    return;
  }
  std::string& out = object.Name(name);
  json::AppendArray(indexes, out,
                    [&](const IndexDescription& index) { AppendIndex(index, kind, out); });
}

void AppendVectorIndex(const VectorIndexDescription& index, std::string& out) {
  json::ObjectWriter object(out);
  WriteVectorDefinition(index.definition, object);
  object.String("IndexStatus", json::NameOf(json::kIndexStatusNames, index.status));
  if (index.backfilling) {
    object.Bool("Backfilling", *index.backfilling);
  }
  object.Integer("IndexSizeBytes", index.size_bytes);
  object.Integer("ItemCount", index.item_count);
  object.String("IndexArn", index.arn);
}

void WriteVectorIndexes(const std::vector<VectorIndexDescription>& indexes,
                        json::ObjectWriter& object) {
  if (!indexes.empty()) {
    std::string& out = object.Name("VectorIndexes");
    json::AppendArray(indexes, out,
                      [&](const VectorIndexDescription& index) { AppendVectorIndex(index, out); });
  }
}

void WriteBilling(const TableDescription& table, json::ObjectWriter& object) {
  if (!table.billing_mode_given) {
    return;
  }
  json::ObjectWriter entry(object.Name("BillingModeSummary"));
  entry.String("BillingMode", json::NameOf(json::kBillingModeNames, table.billing_mode));
  if (table.on_demand_since_ms != 0) {
    entry.Time("LastUpdateToPayPerRequestDateTime", table.on_demand_since_ms);
  }
}

void WriteStream(const TableDescription& table, json::ObjectWriter& object) {
  if (table.stream.has_value() && table.stream->enabled) {
    json::ObjectWriter entry(object.Name("StreamSpecification"));
    entry.Bool("StreamEnabled", true);
    if (table.stream->view_type.has_value()) {
      entry.String("StreamViewType",
                   json::NameOf(json::kStreamViewTypeNames, *table.stream->view_type));
    }
  }
  if (!table.stream_label.empty()) {
    object.String("LatestStreamLabel", table.stream_label);
    object.String("LatestStreamArn", table.arn + "/stream/" + table.stream_label);
  }
}

void WriteRestore(const std::optional<RestoreSummary>& restore, json::ObjectWriter& object) {
  if (!restore.has_value()) {
    return;
  }
  json::ObjectWriter entry(object.Name("RestoreSummary"));
  if (restore->source_backup_arn.has_value()) {
    entry.String("SourceBackupArn", *restore->source_backup_arn);
  }
  entry.String("SourceTableArn", restore->source_table_arn);
  entry.Time("RestoreDateTime", restore->restore_ms);
  entry.Bool("RestoreInProgress", restore->in_progress);
}

// As AWS has it where nobody chose otherwise, and nobody can here.
constexpr std::string_view kSettingsReplication = "ENABLED_WITH_OVERRIDES";

void AppendReplica(const ReplicaDescription& replica, const TableDescription& table,
                   std::string& out) {
  json::ObjectWriter object(out);
  object.String("RegionName", replica.region_name);
  object.String("ReplicaStatus", json::NameOf(json::kReplicaStatusNames, replica.status));
  if (replica.kms_key.has_value()) {
    object.String("KMSMasterKeyId", *replica.kms_key);
  }
  if (!replica.global_index_names.empty()) {
    std::string& indexes = object.Name("GlobalSecondaryIndexes");
    json::AppendArray(replica.global_index_names, indexes, [&](const std::string& name) {
      json::ObjectWriter index(indexes);
      index.String("IndexName", name);
      WriteWarm(std::nullopt, table.provisioned_throughput, index);
    });
  }
  if (replica.table_class.has_value()) {
    json::ObjectWriter summary(object.Name("ReplicaTableClassSummary"));
    summary.String("TableClass", json::NameOf(json::kTableClassNames, *replica.table_class));
  }
  object.String("GlobalTableSettingsReplicationMode", kSettingsReplication);
}

void WriteReplicas(const TableDescription& table, json::ObjectWriter& object) {
  if (!table.replicas.has_value()) {
    return;
  }
  object.String("GlobalTableVersion", "2019.11.21");
  std::string& out = object.Name("Replicas");
  json::AppendArray(*table.replicas, out,
                    [&](const ReplicaDescription& replica) { AppendReplica(replica, table, out); });
  object.String("GlobalTableSettingsReplicationMode", kSettingsReplication);
}

// The members of every description between its creation and its indexes.
void WriteIdentityAndSize(const TableDescription& table, json::ObjectWriter& object) {
  WriteProvisioned(table.provisioned_throughput, object);
  object.Integer("TableSizeBytes", table.size_bytes);
  object.Integer("ItemCount", table.item_count);
  object.String("TableArn", table.arn);
  object.String("TableId", table.table_id);
  WriteBilling(table, object);
}

}  // namespace

void WriteKeySchema(const KeySchema& schema, json::ObjectWriter& object) {
  WriteAttributes("KeySchema", schema, object, "KeyType", [](const KeySchemaElement& element) {
    return json::NameOf(json::kKeyTypeNames, element.key_type);
  });
}

void WriteVectorDefinition(const VectorIndexSpecification& definition, json::ObjectWriter& object) {
  object.String("IndexName", definition.index_name);
  {
    json::ObjectWriter attribute(object.Name("VectorAttribute"));
    attribute.String("AttributeName", definition.vector_attribute);
  }
  object.Integer("Dimensions", definition.dimensions);
  object.String("DistanceFunction", json::NameOf(json::kVectorDistanceNames, definition.distance));
  WriteProjection(definition.projection.value_or(Projection()), object);
  if (!definition.search_schema.empty()) {
    WriteAttributes("SearchSchema", definition.search_schema, object, "SearchSchemaElementType",
                    [](const SearchSchemaElement& element) {
                      return json::NameOf(json::kSearchSchemaTypeNames, element.type);
                    });
  }
}

void WriteProjection(const Projection& projection, json::ObjectWriter& object) {
  json::ObjectWriter entry(object.Name("Projection"));
  if (projection.type.has_value()) {
    entry.String("ProjectionType", json::NameOf(json::kProjectionTypeNames, *projection.type));
  }
  if (projection.non_key_attributes.has_value()) {
    std::string& out = entry.Name("NonKeyAttributes");
    json::AppendArray(*projection.non_key_attributes, out,
                      [&](const std::string& name) { json::AppendString(name, out); });
  }
}

void WriteOnDemand(const std::optional<OnDemandThroughput>& throughput,
                   json::ObjectWriter& object) {
  if (!throughput.has_value()) {
    return;
  }
  json::ObjectWriter entry(object.Name("OnDemandThroughput"));
  if (throughput->max_read_request_units) {
    entry.Integer("MaxReadRequestUnits", *throughput->max_read_request_units);
  }
  if (throughput->max_write_request_units) {
    entry.Integer("MaxWriteRequestUnits", *throughput->max_write_request_units);
  }
}

void WriteSse(const std::optional<SseSpecification>& sse, const std::string& table_arn,
              json::ObjectWriter& object) {
  if (!sse.has_value() || !sse->enabled) {
    return;
  }
  json::ObjectWriter entry(object.Name("SSEDescription"));
  entry.String("Status", "ENABLED");
  entry.String("SSEType", sse->type.value_or("KMS"));
  // AWS names its own key for the account where none is given.
  constexpr const char* kDefaultKey = "00000000-0000-4000-8000-000000000000";
  entry.String("KMSMasterKeyArn", KmsArn(sse->kms_key.value_or(kDefaultKey), table_arn));
}

void AppendDeletedTable(const TableDescription& table, std::string& out) {
  json::ObjectWriter object(out);
  object.String("TableName", table.table_name);
  object.String("TableStatus", json::NameOf(json::kTableStatusNames, table.status));
  WriteIdentityAndSize(table, object);
  object.Bool("DeletionProtectionEnabled", table.deletion_protection);
}

void AppendTable(const TableDescription& table, std::string& out) {
  json::ObjectWriter object(out);
  WriteDefinitions(table.attribute_definitions, object);
  object.String("TableName", table.table_name);
  WriteKeySchema(table.key_schema, object);
  object.String("TableStatus", json::NameOf(json::kTableStatusNames, table.status));
  object.Time("CreationDateTime", table.created_ms);
  WriteIdentityAndSize(table, object);
  WriteDescribedIndexes("LocalSecondaryIndexes", table.local_indexes, IndexKind::kLocal, object);
  WriteDescribedIndexes("GlobalSecondaryIndexes", table.global_indexes, IndexKind::kGlobal, object);
  WriteVectorIndexes(table.vector_indexes, object);
  WriteStream(table, object);
  WriteReplicas(table, object);
  WriteRestore(table.restore, object);
  WriteSse(table.sse, table.arn, object);
  if (table.table_class.has_value()) {
    json::ObjectWriter summary(object.Name("TableClassSummary"));
    summary.String("TableClass", json::NameOf(json::kTableClassNames, *table.table_class));
  }
  object.Bool("DeletionProtectionEnabled", table.deletion_protection);
  WriteOnDemand(table.on_demand_throughput, object);
  WriteWarm(table.warm_throughput, table.provisioned_throughput, object);
}

}  // namespace prejoin::wire
