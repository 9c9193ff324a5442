// UpdateTable with ReplicaUpdates: one replica is made, changed or deleted by each request. Texts as captured on AWS in
// October 2026.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/errors.h"
#include "engine/item/write_stamp.h"
#include "engine/ops/replicas.h"
#include "engine/physics/physics.h"
#include "engine/regions.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"

namespace prejoin::engine {
namespace {

Error NotOfGroup(const std::string& region) {
  return ValidationError(
      "Update global table operation failed because one or more replicas were not part of the "
      "global table. Please retry the request without these replicas: [" +
      region + "].");
}

Error AlreadyThere(const std::string& table_name) {
  return ValidationError("Failed to create a the new replica of table with name: \u2018" +
                         table_name +
                         "\u2019 because one or more replicas already existed as tables.");
}

Error NoAction() {
  return ValidationError(
      "There are no actions specified in the Replica Update Action of the request.");
}

bool IsOnly(const UpdateTableInput& input) {
  return !input.attribute_definitions && !input.billing_mode && !input.provisioned_throughput &&
         !input.on_demand_throughput && !input.warm_throughput && !input.global_index_updates &&
         !input.vector_index_updates && !input.stream && !input.sse && !input.table_class &&
         !input.deletion_protection;
}

const std::string& RegionOf(const ReplicaUpdate& update) {
  return update.create   ? update.create->region_name
         : update.update ? update.update->region_name
                         : *update.remove;
}

// The one update of the request: the same one may be there several times.
Result<ReplicaUpdate> OnlyUpdate(Engine& engine, const UpdateTableInput& input) {
  if (!IsOnly(input)) {
    return InvalidParameter("Replica modification must be the only operation in the request");
  }
  const std::vector<ReplicaUpdate>& updates = *input.replica_updates;
  for (const ReplicaUpdate& update : updates) {
    const int actions = (update.create ? 1 : 0) + (update.update ? 1 : 0) + (update.remove ? 1 : 0);
    if (actions == 0) {
      return NoAction();
    }
    if (actions > 1) {
      return ValidationError(
          "Update table operation with more than one type of replica actions not allowed");
    }
  }
  if (std::ranges::any_of(
          updates, [&](const ReplicaUpdate& update) { return !(update == updates.front()); })) {
    return ValidationError(
        "Update table operation with more than one create or delete replica actions not allowed");
  }
  if (RegionOf(updates.front()) == engine.options().region) {
    return ValidationError(
        "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, "
        "DeleteTable, or UpdateTable as required.");
  }
  return updates.front();
}

Status CheckKey(const Table& table, const ReplicaUpdate::Settings& settings) {
  const auto& sse = table.description.sse;
  const bool has_key = sse && sse->enabled && sse->kms_key;
  return has_key == settings.kms_key.has_value()
             ? Status()
             : Status(InvalidParameter("KMSMasterKeyId must be specified for each replica."));
}

// The table with the new target, and what is left to do when it is published.
Result<std::unique_ptr<Table>> WithTarget(Engine& engine, const Table& current,
                                          const std::string& region, SpaceAllocator& spaces,
                                          StreamPtr& new_stream) {
  auto next = CopyOf(current);
  if (!next->replication) {
    Replication& replication = next->replication.emplace();
    replication.group = current.description.table_id;
    replication.region = engine.options().region;
    replication.stamp_space = spaces.Allocate();
    replication.log_space = spaces.Allocate();
  }
  ReplicaTarget& target = next->replication->Add(region);
  target.sourced_ms = engine.clock().NowMs();
  if (current.stream == nullptr) {
    engine.streams().Enable(engine, StreamViewType::kNewAndOldImages, *next, spaces);
    new_stream = next->stream;
  }
  if (engine.options().states) {
    next->description.status = TableStatus::kUpdating;
  }
  return next;
}

// Changes what the request gives for the replica alone, also while the replica is CREATING.
Status Override(Engine& engine, const std::string& table_name,
                const ReplicaUpdate::Settings& settings) {
  if (!settings.table_class && !settings.on_demand_throughput && !settings.kms_key) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr || !current->replication) {
              return TableNotFound(table_name);
            }
            auto next = CopyOf(*current);
            TableDescription& description = next->description;
            if (settings.table_class) {
              description.table_class = settings.table_class;
            }
            if (settings.on_demand_throughput) {
              auto limits = description.on_demand_throughput.value_or(OnDemandThroughput());
              limits.max_read_request_units = settings.on_demand_throughput->max_read_request_units;
              description.on_demand_throughput = limits;
            }
            if (settings.kms_key) {
              description.sse =
                  SseSpecification{.enabled = true, .type = "KMS", .kms_key = settings.kms_key};
            }
            return next;
          }));
  if (engine.physics() != nullptr) {
    engine.physics()->Changed(*change.table);
  }
  return engine.store().WaitDurable(change.ticket);
}

Result<TableDescription> CreateTarget(Engine& engine, RequestContext& context,
                                      const std::string& table_name,
                                      const ReplicaUpdate::Settings& settings) {
  Regions& regions = *engine.regions();
  PJ_ASSIGN_OR_RETURN(Engine* const peer, regions.Find(engine, settings.region_name));
  TableDescription answer;
  StreamPtr new_stream;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name,
          [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(table_name);
            }
            if (peer->catalog().FindOrNull(table_name) != nullptr) {
              return AlreadyThere(table_name);
            }
            PJ_RETURN_IF_ERROR(CheckNotInUse(*current));
            if (current->description.billing_mode == BillingMode::kProvisioned) {
              return ValidationError(
                  "Table write capacity should either be Pay-Per-Request or AutoScaled.");
            }
            PJ_RETURN_IF_ERROR(CheckKey(*current, settings));
            answer = Describe(*current);
            return WithTarget(engine, *current, settings.region_name, spaces, new_stream);
          }));
  context.Saw(change.ticket);
  if (new_stream != nullptr) {
    PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                        engine.streams().Add(new_stream, change.old_retired));
    context.Saw(ticket);
  }
  regions.FillAfter(engine, table_name, change.old_writers_gone);
  if (engine.options().states) {
    ActivateAt(engine, *change.table, EndOfState(engine, &StateOptions::updating));
  }
  // The replica must not be there after a crash if the wish for it is not.
  PJ_RETURN_IF_ERROR(engine.store().WaitDurable(change.ticket));
  (void)SettleReplicas(engine, table_name);  // A step that fails is tried again.
  if (peer->catalog().FindOrNull(table_name) != nullptr) {
    (void)Override(*peer, table_name, settings);
  }
  regions.Changed();
  // As on AWS, the answer does not show the new replica yet.
  answer.stream = change.table->description.stream;
  answer.stream_label = change.table->description.stream_label;
  if (!answer.replicas) {
    answer.replicas.emplace();
  }
  answer.status = TableStatus::kUpdating;
  return answer;
}

// The table as it is now, UPDATING.
Result<TableDescription> Updating(Engine& engine, const std::string& table_name) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return TableNotFound(table_name);
  }
  TableDescription answer = Describe(*table);
  answer.status = TableStatus::kUpdating;
  return answer;
}

Status CheckMember(Engine& engine, const std::string& table_name, const std::string& region) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return TableNotFound(table_name);
  }
  const bool is_member = table->replication && table->replication->Find(region) != nullptr;
  return is_member ? CheckNotInUse(*table) : Status(NotOfGroup(region));
}

Result<TableDescription> UpdateTarget(Engine& engine, const std::string& table_name,
                                      const ReplicaUpdate::Settings& settings) {
  if (settings.kms_key) {
    return InvalidParameter("KMSMasterKeyId must be specified for each replica.");
  }
  if (settings.has_provisioned_throughput) {
    return ValidationError(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!settings.table_class && !settings.on_demand_throughput) {
    return NoAction();
  }
  PJ_RETURN_IF_ERROR(CheckMember(engine, table_name, settings.region_name));
  PJ_ASSIGN_OR_RETURN(Engine* const peer, engine.regions()->Find(engine, settings.region_name));
  PJ_ASSIGN_OR_RETURN(TableDescription answer, Updating(engine, table_name));
  PJ_RETURN_IF_ERROR(Override(*peer, table_name, settings));
  return answer;
}

Result<TableDescription> DeleteTarget(Engine& engine, const std::string& table_name,
                                      const std::string& region) {
  PJ_RETURN_IF_ERROR(CheckMember(engine, table_name, region));
  PJ_ASSIGN_OR_RETURN(Engine* const peer, engine.regions()->Find(engine, region));
  PJ_ASSIGN_OR_RETURN(TableDescription answer, Updating(engine, table_name));
  RequestContext deleting = BeginRequest(*peer);
  PJ_RETURN_IF_ERROR(DeleteReplica(*peer, deleting, table_name));
  PJ_RETURN_IF_ERROR(peer->store().WaitDurable(deleting.ticket));
  return answer;
}

}  // namespace

Result<TableDescription> UpdateReplicas(Engine& engine, RequestContext& context,
                                        const UpdateTableInput& input) {
  if (engine.regions() == nullptr) {
    return ValidationError(
        "ReplicaUpdates needs the other regions of this server: start it with --separate-regions");
  }
  if (input.multi_region_consistency == MultiRegionConsistency::kStrong) {
    return ValidationError(
        "MultiRegionConsistency STRONG is not supported by this server: its replicas are "
        "eventually consistent");
  }
  PJ_ASSIGN_OR_RETURN(const ReplicaUpdate update, OnlyUpdate(engine, input));
  const MutexLock lock(engine.regions()->changes());
  if (update.update) {
    return UpdateTarget(engine, input.table_name, *update.update);
  }
  if (update.create) {
    const TablePtr table = engine.catalog().FindOrNull(input.table_name);
    const bool is_member = table != nullptr && table->replication &&
                           table->replication->Find(RegionOf(update)) != nullptr;
    if (is_member) {
      return AlreadyThere(input.table_name);
    }
  } else {
    PJ_RETURN_IF_ERROR(CheckMember(engine, input.table_name, RegionOf(update)));
  }
  PJ_RETURN_IF_ERROR(CheckSettled(engine, input.table_name));
  return update.create ? CreateTarget(engine, context, input.table_name, *update.create)
                       : DeleteTarget(engine, input.table_name, *update.remove);
}

}  // namespace prejoin::engine
