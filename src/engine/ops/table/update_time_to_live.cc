#include <memory>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/ops/replicas.h"
#include "engine/regions.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space_drop.h"
#include "engine/ttl/expiry_sweep.h"

namespace prejoin::engine {
namespace {

Status CheckChange(const Table& table, const TimeToLiveSpecification& asked, std::int64_t now_ms) {
  if (table.expiry && table.expiry->attribute_name != asked.attribute_name) {
    return ValidationError(
        "TimeToLive is active on a different AttributeName: current AttributeName is " +
        table.expiry->attribute_name);
  }
  if (asked.enabled && table.expiry) {
    return ValidationError("TimeToLive is already enabled");
  }
  if (!asked.enabled && !table.expiry) {
    return ValidationError("TimeToLive is already disabled");
  }
  if (table.expiry_changed_ms != 0 &&
      now_ms - table.expiry_changed_ms < kTimeToLiveChangeIntervalMs) {
    return ValidationError("Time to live has been modified multiple times within a fixed interval");
  }
  return {};
}

// The work that is left after the new version is published.
struct AfterChange {
  std::optional<std::uint32_t> space_to_drop;
  bool builds = false;
};

void SetExpiry(Engine& engine, const std::optional<std::string>& attribute_name,
               SpaceAllocator& spaces, Table& table, AfterChange& after) {
  table.expiry_changed_ms = engine.clock().NowMs();
  if (table.expiry) {
    after.space_to_drop = table.expiry->space;
    table.expiry.reset();
  }
  if (attribute_name) {
    table.expiry = Expiry{.attribute_name = *attribute_name,
                          .space = spaces.Allocate(),
                          .building = true,
                          .accepts_entries = false};
    after.builds = true;
  }
}

void FinishExpiry(Engine& engine, RequestContext& context, const std::string& table_name,
                  const CatalogChange& change, const AfterChange& after) {
  context.Saw(change.ticket);
  if (after.builds) {
    BuildExpiry(engine, table_name, change.old_retired);
  }
  if (after.space_to_drop) {
    DropSpaces(engine, {*after.space_to_drop}, change.old_retired);
  }
}

Result<TimeToLiveSpecification> UpdateOneTimeToLive(Engine& engine, RequestContext& context,
                                                    const UpdateTimeToLiveInput& input) {
  const TimeToLiveSpecification& asked = input.specification;
  AfterChange after;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          input.table_name,
          [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(input.table_name);
            }
            if (!HasItems(*current)) {
              PJ_RETURN_IF_ERROR(CheckNotInUse(*current));
            }
            PJ_RETURN_IF_ERROR(CheckChange(*current, asked, engine.clock().NowMs()));
            auto next = CopyOf(*current);
            SetExpiry(engine, asked.enabled ? std::optional(asked.attribute_name) : std::nullopt,
                      spaces, *next, after);
            if (next->replication) {
              for (ReplicaTarget& target : next->replication->targets) {
                target.owed.insert("ttl");
              }
            }
            return next;
          }));
  FinishExpiry(engine, context, input.table_name, change, after);
  return asked;
}

}  // namespace

Status SetTimeToLive(Engine& engine, RequestContext& context, const std::string& table_name,
                     const std::optional<std::string>& attribute_name) {
  AfterChange after;
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name,
          [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(table_name);
            }
            auto next = CopyOf(*current);
            const auto known =
                current->expiry ? std::optional(current->expiry->attribute_name) : std::nullopt;
            if (known != attribute_name) {
              SetExpiry(engine, attribute_name, spaces, *next, after);
            }
            return next;
          }));
  FinishExpiry(engine, context, table_name, change, after);
  return {};
}

Result<TimeToLiveSpecification> UpdateTimeToLive(Engine& engine, RequestContext& context,
                                                 const UpdateTimeToLiveInput& input) {
  const auto has_replicas = [&] {
    const TablePtr table = engine.catalog().FindOrNull(input.table_name);
    return table != nullptr && table->replication;
  };
  if (engine.regions() == nullptr || !has_replicas()) {
    return UpdateOneTimeToLive(engine, context, input);
  }
  const MutexLock lock(engine.regions()->changes());
  PJ_ASSIGN_OR_RETURN(const TimeToLiveSpecification specification,
                      UpdateOneTimeToLive(engine, context, input));
  PJ_RETURN_IF_ERROR(engine.store().WaitDurable(context.ticket));
  (void)SettleReplicas(engine, input.table_name);  // A step that fails is tried again.
  engine.regions()->Changed();
  return specification;
}

}  // namespace prejoin::engine
