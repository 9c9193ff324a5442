#include <algorithm>
#include <memory>
#include <utility>

#include "engine/errors.h"
#include "engine/index/index_build.h"
#include "engine/item/keys.h"
#include "engine/ops/operations.h"
#include "engine/ops/replicas.h"
#include "engine/physics/physics.h"
#include "engine/regions.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space_drop.h"
#include "engine/table/table_build.h"
#include "engine/table/table_checks.h"
#include "engine/table/warm_throughput.h"
#include "engine/vector/vector_build.h"
#include "engine/vector/vector_checks.h"

namespace prejoin::engine {
namespace {

// The work that is left after the new version is published.
struct AfterUpdate {
  std::optional<std::string> index_to_build;
  std::optional<std::string> vector_index_to_build;
  std::optional<std::uint32_t> space_to_drop;
  StreamPtr new_stream;
  StreamPtr retired_stream;
  SequenceNumber retired_at = 0;
  std::optional<OnDemandThroughput> on_demand_answer;
  bool lasts = false;      // The table is UPDATING for a while.
  bool passes_on = false;  // Replicas take the change over.
};

Status CheckAnyChange(const UpdateTableInput& input) {
  if (input.billing_mode || input.provisioned_throughput ||
      (input.on_demand_throughput && !IsEmpty(*input.on_demand_throughput)) ||
      input.warm_throughput ||
      (input.global_index_updates && !input.global_index_updates->empty()) ||
      (input.vector_index_updates && !input.vector_index_updates->empty()) || input.stream ||
      input.sse || input.table_class || input.deletion_protection) {
    return {};
  }
  return ValidationError(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or "
      "SSESpecification or ReplicaUpdates is required");
}

Error ThroughputUnchanged(const ProvisionedThroughput& throughput) {
  const std::string read = std::to_string(throughput.read_capacity_units);
  const std::string write = std::to_string(throughput.write_capacity_units);
  return ValidationError(
      "The provisioned throughput for the table will not change. The requested value equals the "
      "current value. "
      "Current ReadCapacityUnits provisioned for the table: " +
      read + ". Requested ReadCapacityUnits: " + read +
      ". Current WriteCapacityUnits provisioned for the table: " + write +
      ". Requested WriteCapacityUnits: " + write +
      ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
      "limits.");
}

Status ChangeBilling(const Engine& engine, const UpdateTableInput& input, Table& table) {
  TableDescription& description = table.description;
  const BillingMode old_mode = description.billing_mode;
  const BillingMode mode = input.billing_mode.value_or(old_mode);
  if (mode == BillingMode::kPayPerRequest && input.provisioned_throughput) {
    return CheckThroughput(mode, input.provisioned_throughput, "table");
  }
  if (mode == BillingMode::kProvisioned && old_mode != mode) {
    PJ_RETURN_IF_ERROR(CheckThroughput(mode, input.provisioned_throughput, "table"));
  }
  if (mode == old_mode && input.provisioned_throughput &&
      *input.provisioned_throughput == description.provisioned_throughput) {
    return ThroughputUnchanged(description.provisioned_throughput);
  }
  if (!table.vector_indexes.empty()) {
    PJ_RETURN_IF_ERROR(CheckVectorBilling(mode));
  }
  if (table.replication && mode == BillingMode::kProvisioned) {
    return ValidationError("Table write capacity should either be Pay-Per-Request or AutoScaled.");
  }
  description.billing_mode = mode;
  if (mode == BillingMode::kPayPerRequest && old_mode != mode) {
    description.billing_mode_given = true;
    description.on_demand_since_ms = engine.clock().NowMs();
    description.provisioned_throughput = {};
    for (Index& index : table.indexes) {
      index.description.provisioned_throughput = {};
    }
  }
  if (input.provisioned_throughput) {
    description.provisioned_throughput = *input.provisioned_throughput;
  }
  return {};
}

Status ChangeStream(Engine& engine, const UpdateTableInput& input, Table& table,
                    SpaceAllocator& spaces, AfterUpdate& after) {
  if (!input.stream) {
    return {};
  }
  TableDescription& description = table.description;
  const bool is_enabled = description.stream && description.stream->enabled;
  if (input.stream->enabled && is_enabled) {
    return ValidationError("Table already has an enabled stream: TableName: " +
                           description.table_name);
  }
  if (!input.stream->enabled && is_enabled && table.replication) {
    return InvalidParameter("Disabling Stream is not allowed for a Global Table replica.");
  }
  if (!input.stream->enabled && !is_enabled) {
    return ValidationError("Table has no stream to disable: TableName: " + description.table_name);
  }
  if (input.stream->enabled && !input.stream->view_type) {
    return InvalidParameter("If stream is being enabled then UpdateViewType is required");
  }
  if (input.stream->enabled) {
    engine.streams().Enable(engine, input.stream->view_type.value_or(StreamViewType::kKeysOnly),
                            table, spaces);
    after.new_stream = table.stream;
    return {};
  }
  after.retired_stream = table.stream;
  PJ_ASSIGN_OR_RETURN(after.retired_at,
                      engine.streams().Retire(table.stream, engine.clock().NowMs()));
  table.stream.reset();
  description.stream.reset();
  return {};
}

// Limits that are not named stay. The answer shows a limit that was taken off as it was asked for;
// the table has it no more.
void ChangeOnDemand(const UpdateTableInput& input, TableDescription& description,
                    AfterUpdate& after) {
  if (description.billing_mode == BillingMode::kProvisioned) {
    description.on_demand_throughput.reset();
  }
  if (!input.on_demand_throughput || IsEmpty(*input.on_demand_throughput)) {
    return;
  }
  OnDemandThroughput limits = description.on_demand_throughput.value_or(OnDemandThroughput());
  const auto change = [](const std::optional<std::int64_t>& asked,
                         std::optional<std::int64_t>& limit) {
    if (asked) {
      limit = asked;
    }
  };
  change(input.on_demand_throughput->max_read_request_units, limits.max_read_request_units);
  change(input.on_demand_throughput->max_write_request_units, limits.max_write_request_units);
  after.on_demand_answer = limits;
  for (auto* limit : {&limits.max_read_request_units, &limits.max_write_request_units}) {
    if (*limit == kNoOnDemandLimit) {
      limit->reset();
    }
  }
  description.on_demand_throughput = IsEmpty(limits) ? std::nullopt : std::optional(limits);
}

void ChangeSettings(const UpdateTableInput& input, TableDescription& description) {
  if (input.sse) {
    description.sse = input.sse;
  }
  if (input.table_class) {
    description.table_class = input.table_class;
  }
  if (input.deletion_protection) {
    description.deletion_protection = *input.deletion_protection;
  }
}

// Returns the use of the attribute in the key of an index that the request creates; null if none uses it.
const KeySchemaElement* NewKey(const UpdateTableInput& input, const std::string& name) {
  if (input.global_index_updates) {
    for (const GlobalIndexUpdate& update : *input.global_index_updates) {
      if (!update.create) {
        continue;
      }
      const auto found =
          std::ranges::find(update.create->key_schema, name, &KeySchemaElement::attribute_name);
      if (found != update.create->key_schema.end()) {
        return &*found;
      }
    }
  }
  return nullptr;
}

// True if a vector index to be made searches by the attribute.
bool IsSearched(const UpdateTableInput& input, const std::string& attribute_name) {
  const auto updates = input.vector_index_updates.value_or(std::vector<VectorIndexUpdate>());
  return std::ranges::any_of(updates, [&](const VectorIndexUpdate& update) {
    return update.create && std::ranges::find(update.create->search_schema, attribute_name,
                                              &SearchSchemaElement::attribute_name) !=
                                update.create->search_schema.end();
  });
}

Status MergeDefinitions(const UpdateTableInput& input, Table& table) {
  auto& definitions = table.description.attribute_definitions;
  if (!input.attribute_definitions) {
    return {};
  }
  for (const AttributeDefinition& definition : *input.attribute_definitions) {
    const KeySchemaElement* use = NewKey(input, definition.attribute_name);
    if (use == nullptr && !IsSearched(input, definition.attribute_name)) {
      continue;  // Whatever its type: the stored one is kept.
    }
    const auto known = std::ranges::find(definitions, definition.attribute_name,
                                         &AttributeDefinition::attribute_name);
    if (known == definitions.end()) {
      definitions.push_back(definition);
    } else if (known->type != definition.type) {
      const auto schema = [&](ScalarType type) {
        return "Schema:[SchemaElement: key{" + definition.attribute_name + ":" +
               std::string(ScalarTypeName(type)) +
               (use == nullptr || use->key_type == KeyType::kHash ? ":HASH}]" : ":RANGE}]");
      };
      return InvalidParameter(
          "Attributes cannot be redefined. Please check that your attribute has the same type as "
          "previously defined. Existing schema: " +
          schema(known->type) + " New schema: " + schema(definition.type));
    }
  }
  return {};
}

Status CreateIndex(const IndexSpecification& specification, const UpdateTableInput& input,
                   Table& table, SpaceAllocator& spaces, AfterUpdate& after) {
  // The request itself must define the keys, even those that the table knows.
  if (!input.attribute_definitions) {
    return InvalidParameter("AttributeDefinitions is not specified for index: " +
                            specification.index_name);
  }
  PJ_RETURN_IF_ERROR(CheckNewGlobalIndex(specification, table, *input.attribute_definitions));
  PJ_RETURN_IF_ERROR(CheckThroughput(table.description.billing_mode,
                                     specification.provisioned_throughput,
                                     "index: " + specification.index_name));
  Index index =
      NewIndex(specification, IndexKind::kGlobal, table.description.arn, spaces.Allocate());
  index.description.status = IndexStatus::kCreating;
  index.description.backfilling = true;
  index.accepts_entries = false;
  index.stats->settled = false;
  table.indexes.push_back(std::move(index));
  table.description.status = TableStatus::kUpdating;
  after.index_to_build = specification.index_name;
  return {};
}

Status RemoveIndex(const std::string& index_name, Table& table, AfterUpdate& after) {
  const auto found = std::ranges::find(table.indexes, index_name, &Index::name);
  if (found == table.indexes.end() || !found->global) {
    return ResourceNotFound("Requested resource not found");
  }
  after.space_to_drop = found->space;
  if (found->description.backfilling) {
    table.description.status = TableStatus::kActive;  // Its build finds it gone, and ends.
  }
  table.indexes.erase(found);
  return {};
}

Status CreateVectorIndex(const VectorIndexSpecification& specification,
                         const UpdateTableInput& input, Table& table, SpaceAllocator& spaces,
                         AfterUpdate& after) {
  PJ_RETURN_IF_ERROR(CheckNewVectorIndex(
      specification, table,
      input.attribute_definitions.value_or(std::vector<AttributeDefinition>())));
  VectorIndex index = NewVectorIndex(specification, table.description.arn, spaces.Allocate());
  index.description.status = IndexStatus::kCreating;
  index.description.backfilling = false;
  index.accepts_entries = false;
  index.stats->settled = false;
  table.vector_indexes.push_back(std::move(index));
  table.description.status = TableStatus::kUpdating;
  after.vector_index_to_build = specification.index_name;
  return {};
}

Status RemoveVectorIndex(const std::string& index_name, Table& table, AfterUpdate& after) {
  const auto found = std::ranges::find(table.vector_indexes, index_name, &VectorIndex::name);
  if (found == table.vector_indexes.end()) {
    return ResourceNotFound("Requested resource not found");
  }
  after.space_to_drop = found->space;
  table.vector_indexes.erase(found);
  return {};
}

PhysicsOptions InitialOf(Engine& engine) {
  return engine.options().physics.value_or(PhysicsOptions());
}

Status UpdateIndex(const PhysicsOptions& initial, const GlobalIndexUpdate::Update& update, Table& table) {
  const auto found = std::ranges::find(table.indexes, update.index_name, &Index::name);
  if (found == table.indexes.end() || !found->global) {
    return ResourceNotFound("Requested resource not found: Index " + update.index_name +
                            " for table " + table.name());
  }
  const bool has_limits = update.on_demand_throughput && !IsEmpty(*update.on_demand_throughput);
  if (table.description.billing_mode == BillingMode::kPayPerRequest && !has_limits &&
      !update.warm_throughput && !update.provisioned_throughput) {
    return ValidationError("One or more parameter values were invalid: The only Updates for index: " +
                           update.index_name +
                           " when TableThroughputMode is PAY_PER_REQUEST can be to "
                           "OnDemandThroughput, WarmThroughput");
  }
  if (update.provisioned_throughput) {
    PJ_RETURN_IF_ERROR(
        CheckThroughput(table.description.billing_mode, update.provisioned_throughput, "table"));
    found->description.provisioned_throughput = *update.provisioned_throughput;
  }
  if (update.on_demand_throughput) {
    found->description.on_demand_throughput = update.on_demand_throughput;
  }
  return RaiseWarm(update.warm_throughput, initial, table.description.billing_mode,
                   "index " + update.index_name, found->description);
}

Status ChangeIndexes(const PhysicsOptions& initial, const UpdateTableInput& input, Table& table,
                     SpaceAllocator& spaces, AfterUpdate& after) {
  const auto global_updates = input.global_index_updates.value_or(std::vector<GlobalIndexUpdate>());
  const auto vector_updates = input.vector_index_updates.value_or(std::vector<VectorIndexUpdate>());
  // An index that is still being filled counts too.
  auto created_or_removed = std::ranges::count_if(table.vector_indexes, [](const auto& index) {
    return index.description.status == IndexStatus::kCreating;
  });
  const bool is_filling = created_or_removed > 0;
  for (const GlobalIndexUpdate& update : global_updates) {
    created_or_removed += (update.create ? 1 : 0) + (update.remove ? 1 : 0);
  }
  for (const VectorIndexUpdate& update : vector_updates) {
    // One that is being filled can be deleted.
    const VectorIndex* known = update.remove ? table.FindVectorIndex(*update.remove) : nullptr;
    const bool stops_filling =
        known != nullptr && known->description.status == IndexStatus::kCreating;
    created_or_removed += stops_filling ? 0 : 1;
  }
  if (global_updates.empty() && vector_updates.empty() && is_filling) {
    return {};
  }
  if (created_or_removed > 1) {
    return LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  for (const VectorIndexUpdate& update : vector_updates) {
    if (update.create) {
      PJ_RETURN_IF_ERROR(CreateVectorIndex(*update.create, input, table, spaces, after));
    } else if (update.remove) {
      PJ_RETURN_IF_ERROR(RemoveVectorIndex(*update.remove, table, after));
    }
  }
  for (const GlobalIndexUpdate& update : global_updates) {
    if (update.create) {
      PJ_RETURN_IF_ERROR(CreateIndex(*update.create, input, table, spaces, after));
    } else if (update.remove) {
      PJ_RETURN_IF_ERROR(RemoveIndex(*update.remove, table, after));
    } else if (update.update) {
      PJ_RETURN_IF_ERROR(UpdateIndex(initial, *update.update, table));
    }
  }
  return {};
}

// An index that is still being filled can be given up, although the table is being updated.
bool OnlyRemovesBackfilling(const UpdateTableInput& input, const Table& table) {
  if (table.restoring || !input.global_index_updates || input.global_index_updates->size() != 1 ||
      !input.global_index_updates->front().remove) {
    return false;
  }
  const Index* index = table.FindIndex(*input.global_index_updates->front().remove);
  return index != nullptr && index->description.backfilling;
}

// A vector index that is to be deleted before its backfill has begun.
Status CheckNotAllocating(const UpdateTableInput& input, const Table& table) {
  for (const auto& update : input.vector_index_updates.value_or(std::vector<VectorIndexUpdate>())) {
    const VectorIndex* index = update.remove ? table.FindVectorIndex(*update.remove) : nullptr;
    if (index != nullptr && index->description.status == IndexStatus::kCreating &&
        !index->description.backfilling.value_or(false)) {
      return ResourceInUse(
          "Attempt to change a resource which is still in use: Index creation is in resource "
          "allocation phase. Retry deletion during backfilling phase or when the index is active. "
          "Table: " +
          table.name() + " Index: " + index->name());
    }
  }
  return {};
}

// The table is UPDATING for a while; a new index is allocated first.
void BeginUpdating(Table& table, AfterUpdate& after) {
  if (table.description.status == TableStatus::kActive) {
    table.description.status = TableStatus::kUpdating;
    after.lasts = true;
  }
  if (after.index_to_build) {
    std::ranges::find(table.indexes, *after.index_to_build, &Index::name)->description.backfilling =
        false;
  }
}

// Captured: it shows in the request alone, so the table need not exist.
Status CheckWarmOfIndexes(const UpdateTableInput& input) {
  for (const GlobalIndexUpdate& update :
       input.global_index_updates.value_or(std::vector<GlobalIndexUpdate>())) {
    if (update.update && update.update->warm_throughput &&
        !update.update->warm_throughput->read_units_per_second &&
        !update.update->warm_throughput->write_units_per_second) {
      return ValidationError(
          "One or more parameter values were invalid: WarmThroughput must have at least one of "
          "ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: " +
          update.update->index_name);
    }
  }
  return {};
}

Result<std::unique_ptr<Table>> NextVersion(Engine& engine, const UpdateTableInput& input,
                                           const Table* current, SpaceAllocator& spaces,
                                           AfterUpdate& after) {
  PJ_RETURN_IF_ERROR(CheckWarmOfIndexes(input));
  if (current == nullptr) {
    return TableNotFound(input.table_name);
  }
  PJ_RETURN_IF_ERROR(CheckNotAllocating(input, *current));
  if (!OnlyRemovesBackfilling(input, *current)) {
    PJ_RETURN_IF_ERROR(CheckNotInUse(*current));
  }
  auto next = CopyOf(*current);
  PJ_RETURN_IF_ERROR(CheckOnDemand(input.billing_mode.value_or(current->description.billing_mode),
                                   input.on_demand_throughput, OnDemandUse::kUpdate));
  PJ_RETURN_IF_ERROR(ChangeBilling(engine, input, *next));
  ChangeOnDemand(input, next->description, after);
  ChangeSettings(input, next->description);
  PJ_RETURN_IF_ERROR(RaiseWarm(input.warm_throughput, InitialOf(engine), next->description.billing_mode,
                               "table", next->description));
  PJ_RETURN_IF_ERROR(MergeDefinitions(input, *next));
  PJ_RETURN_IF_ERROR(ChangeIndexes(InitialOf(engine), input, *next, spaces, after));
  PJ_RETURN_IF_ERROR(ChangeStream(engine, input, *next, spaces, after));
  PruneDefinitions(*next);
  PJ_RETURN_IF_ERROR(ResolveKeys(*next));
  if (engine.physics() != nullptr) {
    PJ_RETURN_IF_ERROR(engine.physics()->AllowChange(*current, *next));
  }
  if (engine.options().states) {
    BeginUpdating(*next, after);
  }
  if (next->replication && after.passes_on) {
    for (ReplicaTarget& target : next->replication->targets) {
      target.owed.merge(SharedSettings(input));
    }
  }
  return next;
}

}  // namespace

Result<TableDescription> UpdateOneTable(Engine& engine, RequestContext& context,
                                        const UpdateTableInput& input, bool passes_on) {
  PJ_RETURN_IF_ERROR(CheckAnyChange(input));
  if (input.billing_mode == BillingMode::kProvisioned && !input.provisioned_throughput) {
    return InvalidParameter(
        "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  PJ_RETURN_IF_ERROR(CheckThroughputBounds(input.provisioned_throughput));
  if (input.global_index_updates) {
    PJ_RETURN_IF_ERROR(CheckIndexUpdates(*input.global_index_updates));
  }
  AfterUpdate after{.passes_on = passes_on};
  const auto change =
      engine.catalog().Change(input.table_name, [&](const Table* current, SpaceAllocator& spaces) {
        return NextVersion(engine, input, current, spaces, after);
      });
  PJ_RETURN_IF_ERROR(change);
  context.Saw(change->ticket);
  if (after.lasts) {
    ActivateAt(engine, *change->table, EndOfState(engine, &StateOptions::updating));
  } else if (engine.physics() != nullptr) {
    engine.physics()->Changed(*change->table);
  }
  if (after.retired_stream != nullptr) {
    engine.streams().Close(after.retired_stream, after.retired_at);
  }
  if (after.new_stream != nullptr) {
    PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                        engine.streams().Add(after.new_stream, change->old_retired));
    context.Saw(ticket);
  }
  TableDescription description = Describe(*change->table);
  description.status = TableStatus::kUpdating;
  if (after.on_demand_answer) {
    description.on_demand_throughput = after.on_demand_answer;
  }
  if (after.index_to_build) {
    BuildIndex(engine, input.table_name, *change->table->FindIndex(*after.index_to_build),
               change->old_retired);
  }
  if (after.vector_index_to_build) {
    BuildVectorIndex(engine, input.table_name,
                     *change->table->FindVectorIndex(*after.vector_index_to_build),
                     change->old_retired);
  }
  if (after.space_to_drop) {
    DropSpaces(engine, {*after.space_to_drop}, change->old_retired);
  }
  return description;
}

Result<TableDescription> UpdateTable(Engine& engine, RequestContext& context,
                                     const UpdateTableInput& input) {
  if (input.replica_updates) {
    return UpdateReplicas(engine, context, input);
  }
  const auto has_replicas = [&] {
    const TablePtr table = engine.catalog().FindOrNull(input.table_name);
    return table != nullptr && table->replication;
  };
  if (engine.regions() == nullptr || !has_replicas()) {
    return UpdateOneTable(engine, context, input, true);
  }
  const MutexLock lock(engine.regions()->changes());
  PJ_RETURN_IF_ERROR(CheckSettled(engine, input.table_name));
  PJ_ASSIGN_OR_RETURN(TableDescription description, UpdateOneTable(engine, context, input, true));
  // The replicas must not have after a crash what this table lost.
  PJ_RETURN_IF_ERROR(engine.store().WaitDurable(context.ticket));
  (void)SettleReplicas(engine, input.table_name);  // A step that fails is tried again.
  engine.regions()->Changed();
  return description;
}

}  // namespace prejoin::engine
