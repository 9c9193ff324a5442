#include "engine/table/catalog_codec.h"

#include <utility>

#include "engine/stream/table_stream.h"
#include "engine/table/catalog_reader.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

// ---- Writing ------------------------------------------------------------------------------------

template <class Enum>
AttributeValue Code(Enum value) {
  return AttributeValue(static_cast<std::int64_t>(value));
}

AttributeValue EncodeKeySchema(const KeySchema& schema) {
  AttributeValue::List list;
  for (const auto& element : schema) {
    list.push_back(Item{{"name", element.attribute_name}, {"type", Code(element.key_type)}});
  }
  return list;
}

AttributeValue EncodeThroughput(const ProvisionedThroughput& throughput) {
  return Item{{"read", throughput.read_capacity_units}, {"write", throughput.write_capacity_units}};
}

template <class Pair>
AttributeValue EncodeOptionalPair(const Pair& pair) {
  const auto& [read, write] = pair;
  Item item;
  if (read) {
    item.Set("read", *read);
  }
  if (write) {
    item.Set("write", *write);
  }
  return item;
}

AttributeValue EncodeInsights(const InsightsSetting& setting) {
  return Item{
      {"enabled", setting.enabled}, {"mode", Code(setting.mode)}, {"changed", setting.changed_ms}};
}

AttributeValue EncodePolicy(const ResourcePolicy& policy) {
  return Item{{"document", policy.document}, {"revision", policy.revision_id}};
}

void EncodeProjection(const Projection& projection, Item& item) {
  item.Set("projection", Code(projection.type.value_or(ProjectionType::kAll)));
  if (projection.non_key_attributes) {
    AttributeValue::List names;
    for (const auto& name : *projection.non_key_attributes) {
      names.push_back(name);
    }
    item.Set("included", std::move(names));
  }
}

AttributeValue EncodeIndex(const Index& index) {
  const IndexDescription& description = index.description;
  Item item{{"name", description.index_name},
            {"global", index.global},
            {"space", static_cast<std::int64_t>(index.space)},
            {"keys", EncodeKeySchema(description.key_schema)},
            {"arn", description.arn},
            {"status", Code(description.status)},
            {"backfilling", description.backfilling},
            {"accepts", index.accepts_entries},
            {"throughput", EncodeThroughput(description.provisioned_throughput)}};
  EncodeProjection(description.projection, item);
  if (description.on_demand_throughput) {
    item.Set("on_demand", EncodeOptionalPair(*description.on_demand_throughput));
  }
  if (description.warm_throughput) {
    item.Set("warm", EncodeOptionalPair(*description.warm_throughput));
  }
  if (index.insights) {
    item.Set("insights", EncodeInsights(*index.insights));
  }
  return item;
}

void EncodeVectorIndexes(const Table& table, Item& item) {
  if (table.vector_indexes.empty()) {
    return;
  }
  AttributeValue::List list;
  for (const VectorIndex& index : table.vector_indexes) {
    const VectorIndexSpecification& definition = index.description.definition;
    AttributeValue::List schema;
    for (const SearchSchemaElement& element : definition.search_schema) {
      schema.push_back(Item{{"name", element.attribute_name}, {"type", Code(element.type)}});
    }
    Item encoded{{"name", definition.index_name},
                 {"attribute", definition.vector_attribute},
                 {"dimensions", definition.dimensions},
                 {"distance", Code(definition.distance)},
                 {"schema", std::move(schema)},
                 {"arn", index.description.arn},
                 {"status", Code(index.description.status)},
                 {"accepts", index.accepts_entries},
                 {"space", static_cast<std::int64_t>(index.space)}};
    if (index.description.backfilling) {
      encoded.Set("backfilling", *index.description.backfilling);
    }
    EncodeProjection(definition.projection.value_or(Projection()), encoded);
    list.push_back(std::move(encoded));
  }
  item.Set("vectors", std::move(list));
}

void EncodeOptions(const TableDescription& description, Item& item) {
  if (description.on_demand_throughput) {
    item.Set("on_demand", EncodeOptionalPair(*description.on_demand_throughput));
  }
  if (description.warm_throughput) {
    item.Set("warm", EncodeOptionalPair(*description.warm_throughput));
  }
  if (description.table_class) {
    item.Set("class", Code(*description.table_class));
  }
  if (description.sse) {
    Item sse{{"enabled", description.sse->enabled}};
    if (description.sse->type) {
      sse.Set("type", *description.sse->type);
    }
    if (description.sse->kms_key) {
      sse.Set("key", *description.sse->kms_key);
    }
    item.Set("sse", std::move(sse));
  }
}

void EncodeStream(const Table& table, Item& item) {
  const auto& setting = table.description.stream;
  if (!setting) {
    return;
  }
  Item stream{{"enabled", setting->enabled}};
  if (setting->view_type) {
    stream.Set("view", Code(*setting->view_type));
  }
  if (table.stream != nullptr) {
    stream.Set("space", static_cast<std::int64_t>(table.stream->info().space));
    stream.Set("created", table.stream->info().created_ms);
  }
  item.Set("stream", std::move(stream));
}

void EncodeExpiry(const Table& table, Item& item) {
  if (table.expiry_changed_ms != 0) {
    item.Set("expiry_changed", table.expiry_changed_ms);
  }
  if (table.expiry) {
    item.Set("expiry", Item{{"attribute", table.expiry->attribute_name},
                            {"space", static_cast<std::int64_t>(table.expiry->space)},
                            {"building", table.expiry->building},
                            {"accepts", table.expiry->accepts_entries}});
  }
}

void EncodeSettings(const Table& table, Item& item) {
  if (table.insights) {
    item.Set("insights", EncodeInsights(*table.insights));
  }
  if (table.resource_policy) {
    item.Set("policy", EncodePolicy(*table.resource_policy));
  }
  if (!table.stream_policies.empty()) {
    Item policies;
    for (const auto& [label, policy] : table.stream_policies) {
      policies.Set(label, EncodePolicy(policy));
    }
    item.Set("stream_policies", std::move(policies));
  }
}

AttributeValue EncodeNumber(SequenceNumber number) {
  return AttributeValue(static_cast<std::int64_t>(number));
}

void EncodeHistory(const Table& table, Item& item) {
  if (table.history) {
    item.Set("history", Item{{"space", static_cast<std::int64_t>(table.history->space)},
                             {"start", EncodeNumber(table.history->start)}});
  }
  if (table.recovery) {
    item.Set("recovery", Item{{"days", static_cast<std::int64_t>(table.recovery->days)},
                              {"since", EncodeNumber(table.recovery->since)}});
  }
}

void EncodeRestore(const Table& table, Item& item) {
  if (const auto& summary = table.description.restore) {
    Item restored{{"table", summary->source_table_arn},
                  {"time", summary->restore_ms},
                  {"in_progress", summary->in_progress}};
    if (summary->source_backup_arn) {
      restored.Set("backup", *summary->source_backup_arn);
    }
    item.Set("restored", std::move(restored));
  }
  if (const auto& source = table.restoring) {
    item.Set("restoring", Item{{"table", source->table_name},
                               {"space", static_cast<std::int64_t>(source->table.space)},
                               {"history", static_cast<std::int64_t>(source->table.history_space)},
                               {"number", EncodeNumber(source->number)}});
  }
}

void EncodeReplication(const Table& table, Item& item) {
  if (!table.replication) {
    return;
  }
  const Replication& replication = *table.replication;
  AttributeValue::List targets;
  for (const ReplicaTarget& target : replication.targets) {
    AttributeValue::List owed(target.owed.begin(), target.owed.end());
    targets.push_back(Item{{"region", target.region},
                           {"number", static_cast<std::int64_t>(target.number)},
                           {"joined", target.joined},
                           {"filled", target.filled},
                           {"sourced", target.sourced_ms},
                           {"owed", std::move(owed)}});
  }
  item.Set("replication", Item{{"group", replication.group},
                               {"region", replication.region},
                               {"stamps", static_cast<std::int64_t>(replication.stamp_space)},
                               {"log", static_cast<std::int64_t>(replication.log_space)},
                               {"next", static_cast<std::int64_t>(replication.next_target)},
                               {"filling", replication.filling},
                               {"targets", std::move(targets)}});
}

// ---- Reading ------------------------------------------------------------------------------------

KeySchema DecodeKeySchema(CatalogReader& reader) {
  KeySchema schema;
  reader.Each("keys", [&](CatalogReader& element) {
    schema.push_back({element.String("name"), element.Code<KeyType>("type")});
  });
  return schema;
}

ProvisionedThroughput DecodeThroughput(CatalogReader& reader) {
  ProvisionedThroughput throughput;
  reader.Inside("throughput", [&](CatalogReader& inner) {
    throughput = {inner.Int("read"), inner.Int("write")};
  });
  return throughput;
}

template <class Pair>
std::optional<Pair> DecodeOptionalPair(CatalogReader& reader, std::string_view name) {
  if (!reader.Has(name)) {
    return std::nullopt;
  }
  Pair pair;
  reader.Inside(name, [&](CatalogReader& inner) {
    pair = {inner.OptionalInt("read"), inner.OptionalInt("write")};
  });
  return pair;
}

std::optional<InsightsSetting> DecodeInsights(CatalogReader& reader) {
  if (!reader.Has("insights")) {
    return std::nullopt;
  }
  InsightsSetting setting;
  reader.Inside("insights", [&](CatalogReader& inner) {
    setting = {inner.Bool("enabled"), inner.Code<InsightsMode>("mode"), inner.Int("changed")};
  });
  return setting;
}

ResourcePolicy DecodePolicy(CatalogReader& reader, std::string_view name) {
  ResourcePolicy policy;
  reader.Inside(name, [&](CatalogReader& inner) {
    policy = {inner.String("document"), inner.String("revision")};
  });
  return policy;
}

Projection DecodeProjection(CatalogReader& reader) {
  Projection projection;
  projection.type = reader.Code<ProjectionType>("projection");
  if (reader.Has("included")) {
    projection.non_key_attributes.emplace();
    for (const AttributeValue& name : reader.List("included")) {
      projection.non_key_attributes->push_back(name.string() ? *name.string() : "");
    }
  }
  return projection;
}

VectorIndex DecodeVectorIndex(CatalogReader& reader) {
  VectorIndex index;
  index.space = static_cast<std::uint32_t>(reader.Int("space"));
  index.accepts_entries = reader.Bool("accepts");
  index.description.arn = reader.String("arn");
  index.description.status = reader.Code<IndexStatus>("status");
  if (reader.Has("backfilling")) {
    index.description.backfilling = reader.Bool("backfilling");
  }
  VectorIndexSpecification& definition = index.description.definition;
  definition.index_name = reader.String("name");
  definition.vector_attribute = reader.String("attribute");
  definition.dimensions = reader.Int("dimensions");
  definition.distance = reader.Code<VectorDistance>("distance");
  definition.projection = DecodeProjection(reader);
  reader.Each("schema", [&](CatalogReader& element) {
    definition.search_schema.push_back(
        {element.String("name"), element.Code<SearchSchemaType>("type")});
  });
  return index;
}

Index DecodeIndex(CatalogReader& reader) {
  Index index;
  index.global = reader.Bool("global");
  index.space = static_cast<std::uint32_t>(reader.Int("space"));
  index.stats = std::make_shared<Stats>();
  IndexDescription& description = index.description;
  description.index_name = reader.String("name");
  description.key_schema = DecodeKeySchema(reader);
  description.projection = DecodeProjection(reader);
  description.arn = reader.String("arn");
  description.status = reader.Code<IndexStatus>("status");
  description.backfilling = reader.Bool("backfilling");
  index.accepts_entries = !reader.Has("accepts") || reader.Bool("accepts");
  description.provisioned_throughput = DecodeThroughput(reader);
  description.on_demand_throughput = DecodeOptionalPair<OnDemandThroughput>(reader, "on_demand");
  description.warm_throughput = DecodeOptionalPair<WarmThroughput>(reader, "warm");
  index.insights = DecodeInsights(reader);
  return index;
}

void DecodeOptions(CatalogReader& reader, TableDescription& description) {
  description.on_demand_throughput = DecodeOptionalPair<OnDemandThroughput>(reader, "on_demand");
  description.warm_throughput = DecodeOptionalPair<WarmThroughput>(reader, "warm");
  if (reader.Has("class")) {
    description.table_class = reader.Code<TableClass>("class");
  }
  if (reader.Has("sse")) {
    reader.Inside("sse", [&](CatalogReader& sse) {
      description.sse.emplace().enabled = sse.Bool("enabled");
      if (sse.Has("type")) {
        description.sse->type = sse.String("type");
      }
      if (sse.Has("key")) {
        description.sse->kms_key = sse.String("key");
      }
    });
  }
}

// After the rest of the description, of which a stream keeps a part.
void DecodeStream(CatalogReader& reader, Table& table) {
  if (!reader.Has("stream")) {
    return;
  }
  reader.Inside("stream", [&](CatalogReader& stream) {
    auto& setting = table.description.stream.emplace();
    setting.enabled = stream.Bool("enabled");
    if (stream.Has("view")) {
      setting.view_type = stream.Code<StreamViewType>("view");
    }
    // Absent in tables from before streams were kept.
    if (stream.Has("space")) {
      table.stream =
          MakeStream(table, static_cast<std::uint32_t>(stream.Int("space")), stream.Int("created"));
    }
  });
}

void DecodeExpiry(CatalogReader& reader, Table& table) {
  table.expiry_changed_ms = reader.OptionalInt("expiry_changed").value_or(0);
  if (!reader.Has("expiry")) {
    return;
  }
  reader.Inside("expiry", [&](CatalogReader& expiry) {
    table.expiry = Expiry{.attribute_name = expiry.String("attribute"),
                          .space = static_cast<std::uint32_t>(expiry.Int("space")),
                          .building = expiry.Bool("building"),
                          .accepts_entries = !expiry.Has("accepts") || expiry.Bool("accepts")};
  });
}

void DecodeSettings(CatalogReader& reader, Table& table) {
  table.insights = DecodeInsights(reader);
  if (reader.Has("policy")) {
    // Before policies had revisions, the document stood here alone.
    table.resource_policy = reader.IsString("policy") ? ResourcePolicy{reader.String("policy"), "1"}
                                                      : DecodePolicy(reader, "policy");
  }
  if (reader.Has("stream_policies")) {
    reader.Inside("stream_policies", [&](CatalogReader& policies) {
      for (const std::string& label : policies.Names()) {
        table.stream_policies[label] = DecodePolicy(policies, label);
      }
    });
  }
}

void DecodeHistory(CatalogReader& reader, Table& table) {
  if (reader.Has("history")) {
    reader.Inside("history", [&](CatalogReader& history) {
      table.history = History{.space = static_cast<std::uint32_t>(history.Int("space")),
                              .start = static_cast<SequenceNumber>(history.Int("start"))};
    });
  }
  if (reader.Has("recovery")) {
    reader.Inside("recovery", [&](CatalogReader& recovery) {
      table.recovery = Recovery{.days = static_cast<int>(recovery.Int("days")),
                                .since = static_cast<SequenceNumber>(recovery.Int("since"))};
    });
  }
}

void DecodeRestore(CatalogReader& reader, Table& table) {
  if (reader.Has("restored")) {
    reader.Inside("restored", [&](CatalogReader& restored) {
      auto& summary = table.description.restore.emplace();
      summary.source_table_arn = restored.String("table");
      summary.restore_ms = restored.Int("time");
      summary.in_progress = restored.Bool("in_progress");
      if (restored.Has("backup")) {
        summary.source_backup_arn = restored.String("backup");
      }
    });
  }
  if (reader.Has("restoring")) {
    reader.Inside("restoring", [&](CatalogReader& restoring) {
      table.restoring = RestoreSource{
          .table_name = restoring.String("table"),
          .table = {.space = static_cast<std::uint32_t>(restoring.Int("space")),
                    .history_space = static_cast<std::uint32_t>(restoring.Int("history"))},
          .number = static_cast<SequenceNumber>(restoring.Int("number"))};
    });
  }
}

ReplicaTarget DecodeTarget(CatalogReader& reader) {
  ReplicaTarget target;
  target.region = reader.String("region");
  target.number = static_cast<std::uint32_t>(reader.Int("number"));
  target.joined = reader.Bool("joined");
  target.filled = reader.Bool("filled");
  target.sourced_ms = reader.Int("sourced");
  for (const AttributeValue& setting : reader.List("owed")) {
    target.owed.insert(setting.string() ? *setting.string() : "");
  }
  return target;
}

void DecodeReplication(CatalogReader& reader, Table& table) {
  if (!reader.Has("replication")) {
    return;
  }
  reader.Inside("replication", [&](CatalogReader& inner) {
    Replication& replication = table.replication.emplace();
    replication.group = inner.String("group");
    replication.region = inner.String("region");
    replication.stamp_space = static_cast<std::uint32_t>(inner.Int("stamps"));
    replication.log_space = static_cast<std::uint32_t>(inner.Int("log"));
    replication.next_target = static_cast<std::uint32_t>(inner.Int("next"));
    replication.filling = inner.Bool("filling");
    inner.Each("targets",
               [&](CatalogReader& target) { replication.targets.push_back(DecodeTarget(target)); });
  });
}

Error NotATable() {
  return Error{ErrorCode::kCorruption, "the catalog holds a table that cannot be read"};
}

}  // namespace

std::string EncodeTable(const Table& table) {
  const TableDescription& description = table.description;
  AttributeValue::List definitions;
  for (const auto& definition : description.attribute_definitions) {
    definitions.push_back(
        Item{{"name", definition.attribute_name}, {"type", Code(definition.type)}});
  }
  AttributeValue::List indexes;
  for (const Index& index : table.indexes) {
    indexes.push_back(EncodeIndex(index));
  }
  Item tags;
  for (const auto& [key, value] : table.tags) {
    tags.Set(key, value);
  }
  Item item{{"name", description.table_name},
            {"id", description.table_id},
            {"arn", description.arn},
            {"status", Code(description.status)},
            {"created", description.created_ms},
            {"space", static_cast<std::int64_t>(table.space)},
            {"collections", static_cast<std::int64_t>(table.collection_space)},
            {"keys", EncodeKeySchema(description.key_schema)},
            {"attributes", std::move(definitions)},
            {"billing", Code(description.billing_mode)},
            {"billing_given", description.billing_mode_given},
            {"on_demand_since", description.on_demand_since_ms},
            {"throughput", EncodeThroughput(description.provisioned_throughput)},
            {"protected", description.deletion_protection},
            {"stream_label", description.stream_label},
            {"indexes", std::move(indexes)},
            {"tags", std::move(tags)}};
  EncodeOptions(description, item);
  EncodeVectorIndexes(table, item);
  EncodeStream(table, item);
  EncodeExpiry(table, item);
  EncodeSettings(table, item);
  EncodeHistory(table, item);
  EncodeReplication(table, item);
  EncodeRestore(table, item);
  return EncodeItem(item);
}

Result<std::unique_ptr<Table>> DecodeTable(std::string_view bytes) {
  PJ_RETURN_IF_ERROR(ValidateItemBody(bytes));
  const Item item = ItemView(bytes).Decode();
  CatalogReader reader(item);
  auto table = std::make_unique<Table>();
  table->stats = std::make_shared<Stats>();
  TableDescription& description = table->description;
  description.table_name = reader.String("name");
  description.table_id = reader.String("id");
  description.arn = reader.String("arn");
  description.status = reader.Code<TableStatus>("status");
  description.created_ms = reader.Int("created");
  table->space = static_cast<std::uint32_t>(reader.Int("space"));
  table->collection_space = static_cast<std::uint32_t>(reader.Int("collections"));
  description.key_schema = DecodeKeySchema(reader);
  reader.Each("attributes", [&](CatalogReader& attribute) {
    description.attribute_definitions.push_back(
        {attribute.String("name"), attribute.Code<ScalarType>("type")});
  });
  description.billing_mode = reader.Code<BillingMode>("billing");
  description.billing_mode_given = reader.Bool("billing_given");
  description.on_demand_since_ms = reader.Int("on_demand_since");
  description.provisioned_throughput = DecodeThroughput(reader);
  description.deletion_protection = reader.Bool("protected");
  description.stream_label = reader.String("stream_label");
  reader.Each("indexes",
              [&](CatalogReader& index) { table->indexes.push_back(DecodeIndex(index)); });
  if (reader.Has("vectors")) {
    reader.Each("vectors", [&](CatalogReader& index) {
      table->vector_indexes.push_back(DecodeVectorIndex(index));
    });
  }
  for (const auto& [key, value] : reader.Map("tags")) {
    table->tags[key] = value.string() ? *value.string() : "";
  }
  DecodeOptions(reader, description);
  DecodeStream(reader, *table);
  DecodeExpiry(reader, *table);
  DecodeSettings(reader, *table);
  DecodeHistory(reader, *table);
  DecodeReplication(reader, *table);
  DecodeRestore(reader, *table);
  if (!reader.ok()) {
    return NotATable();
  }
  if (const Status resolved = ResolveKeys(*table); !resolved) {
    return Error{ErrorCode::kCorruption, NotATable().message + ": " + resolved.error().message};
  }
  ResolveInsights(*table);
  return table;
}

std::string EncodeSpaceCounter(std::uint32_t next_space) { return std::to_string(next_space); }

Result<std::uint32_t> DecodeSpaceCounter(std::string_view bytes) {
  const auto number = Number::Parse(bytes);
  const auto value = number ? number->ToInt64() : std::nullopt;
  if (!value || *value < kFirstFreeSpace) {
    return Error{ErrorCode::kCorruption, "the catalog's space counter cannot be read"};
  }
  return static_cast<std::uint32_t>(*value);
}

}  // namespace prejoin::engine
