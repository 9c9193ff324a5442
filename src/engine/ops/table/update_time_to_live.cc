#include <memory>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
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

}  // namespace

Result<TimeToLiveSpecification> UpdateTimeToLive(Engine& engine, RequestContext& context,
                                                 const UpdateTimeToLiveInput& input) {
  const TimeToLiveSpecification& asked = input.specification;
  std::optional<std::uint32_t> space_to_drop;
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
            const std::int64_t now_ms = engine.clock().NowMs();
            PJ_RETURN_IF_ERROR(CheckChange(*current, asked, now_ms));
            auto next = CopyOf(*current);
            next->expiry_changed_ms = now_ms;
            if (asked.enabled) {
              next->expiry = Expiry{.attribute_name = asked.attribute_name,
                                    .space = spaces.Allocate(),
                                    .building = true,
                                    .accepts_entries = false};
            } else {
              space_to_drop = next->expiry->space;
              next->expiry.reset();
            }
            return next;
          }));
  context.Saw(change.ticket);
  if (asked.enabled) {
    BuildExpiry(engine, input.table_name, change.old_retired);
  }
  if (space_to_drop) {
    DropSpaces(engine, {*space_to_drop}, change.old_retired);
  }
  return asked;
}

}  // namespace prejoin::engine
