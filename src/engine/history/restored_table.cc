#include "engine/history/restored_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/uuid.h"
#include "engine/errors.h"
#include "engine/table/table_build.h"
#include "engine/table/table_checks.h"
#include "engine/vector/vector_checks.h"

namespace prejoin::engine {
namespace {

using Overrides = std::optional<std::vector<IndexSpecification>>;

// Each index of the request is one of the table's own.
Status CheckOverrides(const Table& definition, const Overrides& overrides, IndexKind kind) {
  if (!overrides) {
    return {};
  }
  std::vector<std::string> seen;
  for (const IndexSpecification& asked : *overrides) {
    const Index* index = definition.FindIndex(asked.index_name);
    const bool matches = index != nullptr && index->global == (kind == IndexKind::kGlobal) &&
                         index->description.key_schema == asked.key_schema &&
                         index->description.projection == asked.projection.value_or(Projection());
    if (!matches) {
      return InvalidParameter("The secondary index to restore does not match one of the source: " +
                              asked.index_name);
    }
    if (std::ranges::find(seen, asked.index_name) != seen.end()) {
      return InvalidParameter("Duplicate index name: " + asked.index_name);
    }
    seen.push_back(asked.index_name);
  }
  return {};
}

Status CheckVectorOverrides(const Table& definition, const RestoreOverrides& overrides) {
  std::vector<std::string> seen;
  for (const VectorIndexSpecification& asked :
       overrides.vector_indexes.value_or(std::vector<VectorIndexSpecification>())) {
    const VectorIndex* index = definition.FindVectorIndex(asked.index_name);
    if (index == nullptr || index->description.definition != asked) {
      return InvalidParameter("The vector index to restore does not match one of the source: " +
                              asked.index_name);
    }
    if (std::ranges::find(seen, asked.index_name) != seen.end()) {
      return InvalidParameter("Duplicate index name: " + asked.index_name);
    }
    seen.push_back(asked.index_name);
  }
  return {};
}

const IndexSpecification* FindOverride(const Overrides& overrides, const std::string& index_name) {
  if (!overrides) {
    return nullptr;
  }
  const auto found = std::ranges::find(*overrides, index_name, &IndexSpecification::index_name);
  return found == overrides->end() ? nullptr : &*found;
}

// The provisioned throughput, if there was any.
std::optional<ProvisionedThroughput> Provisioned(const ProvisionedThroughput& throughput) {
  return throughput == ProvisionedThroughput() ? std::nullopt : std::optional(throughput);
}

Status SetBilling(const Engine& engine, const Table& definition, const RestoreOverrides& overrides,
                  TableDescription& description) {
  const TableDescription& source = definition.description;
  description.billing_mode = overrides.billing_mode.value_or(source.billing_mode);
  description.on_demand_throughput =
      overrides.on_demand_throughput ? overrides.on_demand_throughput : source.on_demand_throughput;
  auto throughput = overrides.provisioned_throughput;
  if (description.billing_mode == BillingMode::kPayPerRequest) {
    description.billing_mode_given = true;
    description.on_demand_since_ms = engine.clock().NowMs();
  } else if (!throughput) {
    throughput = Provisioned(source.provisioned_throughput);
  }
  PJ_RETURN_IF_ERROR(CheckThroughput(description.billing_mode, throughput, "table"));
  description.provisioned_throughput = throughput.value_or(ProvisionedThroughput());
  return {};
}

Result<Index> RestoredIndex(const Table& table, const Index& source,
                            const IndexSpecification* asked, SpaceAllocator& spaces) {
  IndexSpecification specification{.index_name = source.name(),
                                   .key_schema = source.description.key_schema,
                                   .projection = source.description.projection,
                                   .on_demand_throughput = source.description.on_demand_throughput,
                                   .warm_throughput = source.description.warm_throughput};
  if (asked != nullptr && asked->on_demand_throughput) {
    specification.on_demand_throughput = asked->on_demand_throughput;
  }
  if (asked != nullptr && asked->warm_throughput) {
    specification.warm_throughput = asked->warm_throughput;
  }
  if (source.global) {
    auto& throughput = specification.provisioned_throughput;
    throughput = asked != nullptr ? asked->provisioned_throughput : std::nullopt;
    if (!throughput && table.description.billing_mode == BillingMode::kProvisioned) {
      throughput = Provisioned(source.description.provisioned_throughput);
    }
    PJ_RETURN_IF_ERROR(CheckThroughput(table.description.billing_mode, throughput,
                                       "index: " + specification.index_name));
  }
  Index index = NewIndex(specification, source.global ? IndexKind::kGlobal : IndexKind::kLocal,
                         table.description.arn, spaces.Allocate());
  if (source.global) {
    index.description.status = IndexStatus::kCreating;
  }
  return index;
}

Status AddIndexes(const Table& definition, const RestoreOverrides& overrides, Table& table,
                  SpaceAllocator& spaces) {
  for (const Index& source : definition.indexes) {
    const Overrides& asked = source.global ? overrides.global_indexes : overrides.local_indexes;
    const IndexSpecification* specification = FindOverride(asked, source.name());
    if (asked && specification == nullptr) {
      continue;
    }
    if (!source.global && !table.HasLocalIndexes()) {
      table.collection_space = spaces.Allocate();
    }
    PJ_ASSIGN_OR_RETURN(Index index, RestoredIndex(table, source, specification, spaces));
    table.indexes.push_back(std::move(index));
  }
  for (const VectorIndex& source : definition.vector_indexes) {
    const auto& asked = overrides.vector_indexes;
    if (asked && std::ranges::find(*asked, source.description.definition) == asked->end()) {
      continue;
    }
    PJ_RETURN_IF_ERROR(CheckVectorBilling(table.description.billing_mode));
    table.vector_indexes.push_back(
        NewVectorIndex(source.description.definition, table.description.arn, spaces.Allocate()));
    table.vector_indexes.back().description.status = IndexStatus::kCreating;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Table>> MakeRestoredTable(const Engine& engine, const Table& definition,
                                                 const std::string& table_name,
                                                 const RestoreOverrides& overrides,
                                                 SpaceAllocator& spaces) {
  PJ_RETURN_IF_ERROR(CheckOverrides(definition, overrides.global_indexes, IndexKind::kGlobal));
  PJ_RETURN_IF_ERROR(CheckOverrides(definition, overrides.local_indexes, IndexKind::kLocal));
  PJ_RETURN_IF_ERROR(CheckVectorOverrides(definition, overrides));
  const TableDescription& source = definition.description;
  auto table = std::make_unique<Table>();
  table->space = spaces.Allocate();
  table->stats = std::make_shared<Stats>();
  TableDescription& description = table->description;
  description.table_name = table_name;
  description.table_id = NewUuid();
  description.arn = TableArn(engine.options(), table_name);
  description.status = TableStatus::kCreating;
  description.created_ms = engine.clock().NowMs();
  description.key_schema = source.key_schema;
  description.attribute_definitions = source.attribute_definitions;
  description.table_class = source.table_class;
  description.warm_throughput = source.warm_throughput;
  description.sse = overrides.sse ? overrides.sse : source.sse;
  PJ_RETURN_IF_ERROR(SetBilling(engine, definition, overrides, description));
  PJ_RETURN_IF_ERROR(AddIndexes(definition, overrides, *table, spaces));
  PruneDefinitions(*table);
  PJ_RETURN_IF_ERROR(ResolveKeys(*table));
  return table;
}

}  // namespace prejoin::engine
