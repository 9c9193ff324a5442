#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/regions.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

// Adds the state that the replicas themselves know, as far as their databases are open.
void AskReplicas(Engine& engine, const Table& table, std::vector<ReplicaDescription>& replicas) {
  for (ReplicaDescription& replica : replicas) {
    Engine* const peer = engine.regions()->FindOpen(engine, replica.region_name);
    const TablePtr there = peer == nullptr ? nullptr : peer->catalog().FindOrNull(table.name());
    if (there == nullptr || !there->replication ||
        there->replication->group != table.replication->group) {
      continue;
    }
    const TableDescription& description = there->description;
    if (description.status == TableStatus::kDeleting) {
      replica.status = ReplicaStatus::kDeleting;
    } else if (description.status == TableStatus::kCreating) {
      replica.status = ReplicaStatus::kCreating;
    }
    replica.table_class = description.table_class;
    if (description.sse && description.sse->enabled) {
      replica.kms_key = description.sse->kms_key;
    }
  }
}

}  // namespace

Result<TableDescription> DescribeTable(Engine& engine, RequestContext&,
                                       const std::string& table_name) {
  if (const TablePtr table = engine.catalog().FindOrNull(table_name)) {
    TableDescription description = Describe(*table);
    if (table->replication && engine.regions() != nullptr) {
      AskReplicas(engine, *table, *description.replicas);
    }
    return description;
  }
  return TableNotFound(table_name);
}

}  // namespace prejoin::engine
