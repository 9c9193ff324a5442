#include <memory>
#include <utility>

#include "base/uuid.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/ops/replicas.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/table_build.h"
#include "engine/table/table_checks.h"
#include "engine/table/warm_throughput.h"

namespace prejoin::engine {
namespace {

void SetDescription(const Engine& engine, const CreateTableInput& input,
                    TableDescription& description) {
  description.table_name = input.table_name;
  description.table_id = NewUuid();
  description.arn = TableArn(engine.options(), input.table_name);
  description.created_ms = engine.clock().NowMs();
  description.key_schema = input.key_schema;
  description.attribute_definitions = input.attribute_definitions;
  description.billing_mode = input.billing_mode.value_or(BillingMode::kProvisioned);
  if (description.billing_mode == BillingMode::kPayPerRequest) {
    description.billing_mode_given = true;
    description.on_demand_since_ms = description.created_ms;
  }
  description.provisioned_throughput =
      input.provisioned_throughput.value_or(ProvisionedThroughput());
  if (input.on_demand_throughput && !IsEmpty(*input.on_demand_throughput)) {
    description.on_demand_throughput = input.on_demand_throughput;
  }
  description.warm_throughput = input.warm_throughput;
  description.table_class = input.table_class;
  description.deletion_protection = input.deletion_protection.value_or(false);
  description.sse = input.sse;
}

Status CheckInitialWarm(const PhysicsOptions& initial, const CreateTableInput& input,
                        const TableDescription& description) {
  if (input.warm_throughput) {
    PJ_RETURN_IF_ERROR(CheckWarm(*input.warm_throughput,
                                 InitialWarm(initial, description.billing_mode, description, "table")));
  }
  if (!input.global_indexes) {
    return {};
  }
  for (const IndexSpecification& index : *input.global_indexes) {
    if (index.warm_throughput) {
      IndexDescription provisioned;
      provisioned.provisioned_throughput =
          index.provisioned_throughput.value_or(ProvisionedThroughput());
      PJ_RETURN_IF_ERROR(
          CheckWarm(*index.warm_throughput,
                    InitialWarm(initial, description.billing_mode, provisioned, "index " + index.index_name)));
    }
  }
  return {};
}

Result<std::unique_ptr<Table>> NewTable(Engine& engine, const CreateTableInput& input,
                                        SpaceAllocator& spaces) {
  auto table = std::make_unique<Table>();
  SetDescription(engine, input, table->description);
  PJ_RETURN_IF_ERROR(CheckInitialWarm(engine.options().physics.value_or(PhysicsOptions()), input,
                                      table->description));
  table->space = spaces.Allocate();
  table->stats = std::make_shared<Stats>();
  if (input.resource_policy) {
    table->resource_policy =
        ResourcePolicy{*input.resource_policy, std::to_string(table->description.created_ms)};
  }
  for (const Tag& tag : input.tags) {
    table->tags[tag.key] = tag.value;
  }
  if (input.local_indexes) {
    table->collection_space = spaces.Allocate();
    for (const auto& index : *input.local_indexes) {
      table->indexes.push_back(
          NewIndex(index, IndexKind::kLocal, table->description.arn, spaces.Allocate()));
    }
  }
  if (input.global_indexes) {
    for (const auto& index : *input.global_indexes) {
      table->indexes.push_back(
          NewIndex(index, IndexKind::kGlobal, table->description.arn, spaces.Allocate()));
    }
  }
  if (input.vector_indexes) {
    for (const auto& index : *input.vector_indexes) {
      table->vector_indexes.push_back(
          NewVectorIndex(index, table->description.arn, spaces.Allocate()));
    }
  }
  if (input.stream && input.stream->enabled) {
    engine.streams().Enable(engine, input.stream->view_type.value_or(StreamViewType::kKeysOnly),
                            *table, spaces);
  }
  PJ_RETURN_IF_ERROR(ResolveKeys(*table));
  return table;
}

// `replication`: it is a replica, which others fill; null: it is not.
Result<TableDescription> CreateAs(Engine& engine, RequestContext& context,
                                  const CreateTableInput& input, const Replication* replication) {
  PJ_RETURN_IF_ERROR(CheckCreateTable(input));
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          input.table_name,
          [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
            if (current != nullptr) {
              return ResourceInUse("Table already exists: " + input.table_name);
            }
            auto table = NewTable(engine, input, spaces);
            if (table && (engine.options().states || replication != nullptr)) {
              (*table)->description.status = TableStatus::kCreating;
            }
            if (table && replication != nullptr) {
              (*table)->replication = *replication;
              (*table)->replication->stamp_space = spaces.Allocate();
              (*table)->replication->log_space = spaces.Allocate();
            }
            return table;
          }));
  context.Saw(change.ticket);
  if (engine.options().states && replication == nullptr) {
    ActivateAt(engine, *change.table, EndOfState(engine, &StateOptions::creating));
  }
  if (change.table->stream != nullptr) {
    PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                        engine.streams().Add(change.table->stream, {}));
    context.Saw(ticket);
  }
  // The table may be ready, but DynamoDB's answer always says CREATING, and programs wait for ACTIVE
  // after it.
  TableDescription description = Describe(*change.table);
  description.status = TableStatus::kCreating;
  for (IndexDescription& index : description.global_indexes) {
    index.status = IndexStatus::kCreating;
  }
  for (VectorIndexDescription& index : description.vector_indexes) {
    index.status = IndexStatus::kCreating;
  }
  return description;
}

}  // namespace

Result<TableDescription> CreateTable(Engine& engine, RequestContext& context,
                                     const CreateTableInput& input) {
  return CreateAs(engine, context, input, nullptr);
}

Result<TableDescription> CreateReplica(Engine& engine, RequestContext& context,
                                       const CreateTableInput& input,
                                       const Replication& replication) {
  return CreateAs(engine, context, input, &replication);
}

}  // namespace prejoin::engine
