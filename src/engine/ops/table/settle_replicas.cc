// Brings the replicas of a table to where requests want them. Every step looks at what is there, so that it can be repeated
// after a crash or a failure: each is durable before the one that relies on it.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/errors.h"
#include "engine/item/write_stamp.h"
#include "engine/ops/replicas.h"
#include "engine/physics/physics.h"
#include "engine/regions.h"
#include "engine/table/catalog.h"
#include "engine/table/space_drop.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kNotesPerStep = 256;
constexpr std::int64_t kSourceMs = 24 * 60 * 60 * 1'000;
constexpr std::string_view kTimeToLive = "ttl";
constexpr std::string_view kSettings = "settings";
constexpr std::string_view kIndexPrefix = "index/";
constexpr std::string_view kVectorPrefix = "vector/";

// The table of the group in another database; null if it is not there.
TablePtr MemberOf(Engine* engine, const std::string& table_name, const std::string& group) {
  const TablePtr table = engine == nullptr ? nullptr : engine->catalog().FindOrNull(table_name);
  return table != nullptr && table->replication && table->replication->group == group ? table
                                                                                      : nullptr;
}

bool IsGone(Engine& engine, const Table& table, const ReplicaTarget& target) {
  Engine* const peer = engine.regions()->FindOpen(engine, target.region);
  return target.joined && peer != nullptr &&
         MemberOf(peer, table.name(), table.replication->group) == nullptr;
}

using EditReplication = std::function<void(Table& table, Replication& replication)>;

// Publishes the table with `edit` made to it, and waits until that is durable. Nothing happens to a table that is not of the
// group any more.
Result<CatalogChange> ChangeMember(Engine& engine, const std::string& table_name,
                                   const std::string& group, const EditReplication& edit) {
  PJ_ASSIGN_OR_RETURN(
      CatalogChange change,
      engine.catalog().Change(
          table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr || !current->replication ||
                current->replication->group != group) {
              return TableNotFound(table_name);
            }
            auto next = CopyOf(*current);
            edit(*next, *next->replication);
            return next;
          }));
  PJ_RETURN_IF_ERROR(engine.store().WaitDurable(change.ticket));
  return change;
}

void DeleteNotes(Engine& engine, storage::Range range) {
  while (!engine.background().stopping()) {
    std::vector<std::string> keys;
    const Status visited = engine.store().Visit(range, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return keys.size() < kNotesPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
    });
    const auto deleted = engine.store().Transact(keys, [&](storage::Transaction& transaction) {
      for (const std::string& key : keys) {
        transaction.Delete(key);
      }
      return Status();
    });
    if (!visited || !deleted || keys.size() < kNotesPerStep) {
      return;  // The rest goes with the table.
    }
  }
}

// Drops a target whose table is gone or cannot be made.
Status Forget(Engine& engine, const std::string& table_name, const std::string& group,
              const std::string& region) {
  std::vector<std::uint32_t> dropped;
  storage::Range notes;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      ChangeMember(engine, table_name, group, [&](Table& table, Replication& replication) {
        if (const ReplicaTarget* target = replication.Find(region)) {
          notes = NotesFor(replication, target->number);
        }
        std::erase_if(replication.targets,
                      [&](const ReplicaTarget& target) { return target.region == region; });
        if (!replication.targets.empty()) {
          return;
        }
        if (replication.filling) {
          table.description.status = TableStatus::kActive;
        }
        dropped = {replication.stamp_space, replication.log_space};
        table.replication.reset();
      }));
  if (!dropped.empty()) {
    DropSpaces(engine, std::move(dropped), change.old_retired);
  } else if (!notes.begin.empty()) {
    engine.background().Add([&engine, notes] { DeleteNotes(engine, notes); }, change.old_retired);
  }
  engine.regions()->Changed();
  return {};
}

IndexSpecification SpecificationOf(const IndexDescription& index) {
  return {.index_name = index.index_name,
          .key_schema = index.key_schema,
          .projection = index.projection,
          .provisioned_throughput = std::nullopt,
          .on_demand_throughput = index.on_demand_throughput,
          .warm_throughput = index.warm_throughput};
}

CreateTableInput InputOf(const Table& table) {
  const TableDescription& description = table.description;
  CreateTableInput input{.table_name = description.table_name,
                         .key_schema = description.key_schema,
                         .attribute_definitions = description.attribute_definitions,
                         .billing_mode = BillingMode::kPayPerRequest};
  for (const Index& index : table.indexes) {
    auto& indexes = index.global ? input.global_indexes : input.local_indexes;
    if (!indexes) {
      indexes.emplace();
    }
    indexes->push_back(SpecificationOf(index.description));
  }
  for (const VectorIndex& index : table.vector_indexes) {
    if (!input.vector_indexes) {
      input.vector_indexes.emplace();
    }
    input.vector_indexes->push_back(index.description.definition);
  }
  input.on_demand_throughput = description.on_demand_throughput;
  input.warm_throughput = description.warm_throughput;
  input.stream = description.stream;
  input.table_class = description.table_class;
  if (description.sse && !description.sse->kms_key) {
    input.sse = description.sse;  // Keys belong to their regions.
  }
  return input;
}

// Makes the table that a target stands for. Its members are this table and those that have joined before.
Status MakeReplicaTable(Engine& peer, const Table& table, const std::string& region) {
  Replication replication{.group = table.replication->group, .region = region, .filling = true};
  std::vector<std::string> members = {table.replication->region};
  for (const ReplicaTarget& target : table.replication->targets) {
    if (target.joined && target.region != region) {
      members.push_back(target.region);
    }
  }
  for (const std::string& member : members) {
    ReplicaTarget& target = replication.Add(member);
    target.joined = target.filled = true;  // The table begins empty.
  }
  RequestContext context = BeginRequest(peer);
  PJ_RETURN_IF_ERROR(CreateReplica(peer, context, InputOf(table), replication));
  return peer.store().WaitDurable(context.ticket);
}

// Lets another member know the new one.
Status Introduce(Engine& engine, Engine& member, const Table& table, const std::string& region) {
  const TablePtr known = MemberOf(&member, table.name(), table.replication->group);
  if (known == nullptr || known->replication->Find(region) != nullptr) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(const CatalogChange change,
                      ChangeMember(member, table.name(), table.replication->group,
                                   [&](Table&, Replication& replication) {
                                     replication.Add(region).joined = true;
                                   }));
  engine.regions()->FillAfter(member, table.name(), change.old_writers_gone);
  return {};
}

Status Join(Engine& engine, const TablePtr& table, const ReplicaTarget& target) {
  const std::string& group = table->replication->group;
  Regions& regions = *engine.regions();
  PJ_ASSIGN_OR_RETURN(Engine* const peer, regions.Find(engine, target.region));
  if (MemberOf(peer, table->name(), group) == nullptr) {
    if (peer->catalog().FindOrNull(table->name()) != nullptr) {
      return Forget(engine, table->name(), group, target.region);  // Somebody was faster.
    }
    PJ_RETURN_IF_ERROR(MakeReplicaTable(*peer, *table, target.region));
  }
  for (const ReplicaTarget& other : table->replication->targets) {
    if (other.joined && other.region != target.region) {
      PJ_ASSIGN_OR_RETURN(Engine* const member, regions.Find(engine, other.region));
      PJ_RETURN_IF_ERROR(Introduce(engine, *member, *table, target.region));
    }
  }
  PJ_RETURN_IF_ERROR(
      ChangeMember(engine, table->name(), group, [&](Table& next, Replication& replication) {
        if (ReplicaTarget* joined = replication.Find(target.region)) {
          joined->joined = true;
          if (next.expiry) {
            joined->owed.emplace(kTimeToLive);
          }
        }
      }));
  return {};
}

Status PassIndexOn(const Table& table, Engine& peer, const Table& replica,
                   const std::string& index_name) {
  const Index* ours = table.FindIndex(index_name);
  const Index* theirs = replica.FindIndex(index_name);
  if ((ours == nullptr) == (theirs == nullptr)) {
    return {};
  }
  GlobalIndexUpdate update;
  if (ours != nullptr) {
    update.create = SpecificationOf(ours->description);
  } else {
    update.remove = index_name;
  }
  UpdateTableInput input{.table_name = table.name()};
  input.attribute_definitions = table.description.attribute_definitions;
  input.global_index_updates = {std::move(update)};
  RequestContext context = BeginRequest(peer);
  PJ_RETURN_IF_ERROR(UpdateOneTable(peer, context, input, false));
  return peer.store().WaitDurable(context.ticket);
}

Status PassVectorIndexOn(const Table& table, Engine& peer, const Table& replica,
                         const std::string& index_name) {
  const VectorIndex* ours = table.FindVectorIndex(index_name);
  const VectorIndex* theirs = replica.FindVectorIndex(index_name);
  if ((ours == nullptr) == (theirs == nullptr)) {
    return {};
  }
  VectorIndexUpdate update;
  if (ours != nullptr) {
    update.create = ours->description.definition;
  } else {
    update.remove = index_name;
  }
  UpdateTableInput input{.table_name = table.name()};
  input.attribute_definitions = table.description.attribute_definitions;
  input.vector_index_updates = {std::move(update)};
  RequestContext context = BeginRequest(peer);
  PJ_RETURN_IF_ERROR(UpdateOneTable(peer, context, input, false));
  return peer.store().WaitDurable(context.ticket);
}

// Encryption, table class and limits. The key of the encryption is the region's own.
Status PassSettingsOn(const Table& table, Engine& peer) {
  const TableDescription& ours = table.description;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      ChangeMember(peer, table.name(), table.replication->group, [&](Table& next, Replication&) {
        TableDescription& theirs = next.description;
        theirs.table_class = ours.table_class;
        theirs.on_demand_throughput = ours.on_demand_throughput;
        theirs.warm_throughput = ours.warm_throughput;
        auto key = theirs.sse ? theirs.sse->kms_key : std::nullopt;
        theirs.sse = ours.sse;
        if (theirs.sse) {
          theirs.sse->kms_key = std::move(key);
        }
      }));
  if (peer.physics() != nullptr) {
    peer.physics()->Changed(*change.table);
  }
  return {};
}

Status PassOn(const Table& table, Engine& peer, const Table& replica, const std::string& setting) {
  if (setting == kTimeToLive) {
    RequestContext context = BeginRequest(peer);
    PJ_RETURN_IF_ERROR(
        SetTimeToLive(peer, context, table.name(),
                      table.expiry ? std::optional(table.expiry->attribute_name) : std::nullopt));
    return peer.store().WaitDurable(context.ticket);
  }
  if (setting.starts_with(kIndexPrefix)) {
    return PassIndexOn(table, peer, replica, setting.substr(kIndexPrefix.size()));
  }
  if (setting.starts_with(kVectorPrefix)) {
    return PassVectorIndexOn(table, peer, replica, setting.substr(kVectorPrefix.size()));
  }
  return PassSettingsOn(table, peer);
}

Status PassAllOn(Engine& engine, const TablePtr& table, const ReplicaTarget& target) {
  PJ_ASSIGN_OR_RETURN(Engine* const peer, engine.regions()->Find(engine, target.region));
  for (const std::string& setting : target.owed) {
    const TablePtr replica = MemberOf(peer, table->name(), table->replication->group);
    if (replica == nullptr) {
      return {};
    }
    PJ_RETURN_IF_ERROR(PassOn(*table, *peer, *replica, setting));
    PJ_RETURN_IF_ERROR(ChangeMember(engine, table->name(), table->replication->group,
                                    [&](Table&, Replication& replication) {
                                      if (ReplicaTarget* known = replication.Find(target.region)) {
                                        known->owed.erase(setting);
                                      }
                                    }));
  }
  return {};
}

// True if the other member has sent this table all that it has, or is gone.
bool HasFilled(Engine& engine, const Table& table, const ReplicaTarget& member) {
  Engine* const peer = engine.regions()->FindOpen(engine, member.region);
  if (peer == nullptr) {
    return false;
  }
  const TablePtr theirs = MemberOf(peer, table.name(), table.replication->group);
  const ReplicaTarget* const us =
      theirs == nullptr ? nullptr : theirs->replication->Find(table.replication->region);
  return theirs == nullptr || (us != nullptr && us->filled);
}

bool IsFilled(Engine& engine, const Table& table) {
  return std::ranges::all_of(table.replication->targets, [&](const ReplicaTarget& member) {
    return HasFilled(engine, table, member);
  });
}

Status SettleTarget(Engine& engine, const TablePtr& table, const ReplicaTarget& target) {
  if (!target.joined) {
    return Join(engine, table, target);
  }
  if (IsGone(engine, *table, target)) {
    return Forget(engine, table->name(), table->replication->group, target.region);
  }
  return target.owed.empty() ? Status() : PassAllOn(engine, table, target);
}

}  // namespace

bool NeedsSettling(Engine& engine, const Table& table) {
  if (!table.replication || table.description.status == TableStatus::kDeleting) {
    return false;
  }
  return (table.replication->filling && IsFilled(engine, table)) ||
         std::ranges::any_of(table.replication->targets, [&](const ReplicaTarget& target) {
           return !target.joined || !target.owed.empty() || IsGone(engine, table, target);
         });
}

Status SettleReplicas(Engine& engine, const std::string& table_name) {
  Status first;
  TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr || !NeedsSettling(engine, *table)) {
    return {};
  }
  const Replication before = *table->replication;
  for (const ReplicaTarget& was : before.targets) {
    // Each step may publish another version.
    table = engine.catalog().FindOrNull(table_name);
    if (table == nullptr || !table->replication || table->replication->group != before.group) {
      return first;
    }
    const ReplicaTarget* const target = table->replication->Find(was.region);
    const Status settled =
        target == nullptr ? Status() : SettleTarget(engine, table, ReplicaTarget(*target));
    if (!settled && first) {
      first = settled;
    }
  }
  table = engine.catalog().FindOrNull(table_name);
  if (table != nullptr && table->replication && table->replication->filling &&
      IsFilled(engine, *table)) {
    PJ_RETURN_IF_ERROR(
        ChangeMember(engine, table_name, before.group, [](Table& next, Replication& replication) {
          replication.filling = false;
          next.description.status = TableStatus::kActive;
        }));
    engine.regions()->Changed();
  }
  return first;
}

Status CheckSettled(Engine& engine, const std::string& table_name) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr || !table->replication) {
    return {};
  }
  const auto is_settled = [](const ReplicaTarget& target) {
    return target.joined && target.filled && target.owed.empty();
  };
  bool settled = std::ranges::all_of(table->replication->targets, is_settled);
  for (const ReplicaTarget& target : table->replication->targets) {
    const TablePtr replica = MemberOf(engine.regions()->FindOpen(engine, target.region), table_name,
                                      table->replication->group);
    settled = settled && replica != nullptr && HasItems(*replica) &&
              std::ranges::all_of(replica->replication->targets, is_settled);
  }
  return settled
             ? Status()
             : Status(ResourceInUse("The resource which you are attempting to change is in use."));
}

Status CheckLeaving(Engine& engine, const Table& table) {
  if (table.description.deletion_protection) {
    return ValidationError("Cannot delete table " + table.name() + " in region " +
                           table.replication->region +
                           " because it has deletion protection enabled. Disable deletion "
                           "protection first.");
  }
  const std::int64_t now_ms = engine.clock().NowMs();
  const bool is_source =
      std::ranges::any_of(table.replication->targets, [&](const ReplicaTarget& target) {
        return target.sourced_ms != 0 && now_ms - target.sourced_ms < kSourceMs &&
               !IsGone(engine, table, target);
      });
  return is_source
             ? Status(ValidationError(
                   "Replica cannot be deleted because it has acted as a source region for new "
                   "replica(s) being added to the table in the last 24 hours."))
             : Status();
}

bool HasUnsentWrites(Engine& engine, const Table& table) {
  if (!table.replication || engine.regions() == nullptr) {
    return false;
  }
  bool unsent = false;
  for (const ReplicaTarget& target : table.replication->targets) {
    const Status visited = engine.store().Visit(NotesFor(*table.replication, target.number),
                                                [&](std::string_view, std::string_view) {
                                                  unsent = true;
                                                  return storage::Visit::kStop;
                                                });
    unsent = (unsent || !visited) && !IsGone(engine, table, target);
  }
  return unsent;
}

std::set<std::string> SharedSettings(const UpdateTableInput& input) {
  std::set<std::string> shared;
  for (const auto& update : input.global_index_updates.value_or(std::vector<GlobalIndexUpdate>())) {
    if (update.create || update.remove) {
      shared.insert(std::string(kIndexPrefix) +
                    (update.create ? update.create->index_name : *update.remove));
    }
  }
  for (const auto& update : input.vector_index_updates.value_or(std::vector<VectorIndexUpdate>())) {
    if (update.create || update.remove) {
      shared.insert(std::string(kVectorPrefix) +
                    (update.create ? update.create->index_name : *update.remove));
    }
  }
  if (input.sse || input.table_class || input.on_demand_throughput || input.warm_throughput) {
    shared.emplace(kSettings);
  }
  return shared;
}

}  // namespace prejoin::engine
