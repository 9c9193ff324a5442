#include "engine/ttl/expiry_sweep.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/worker.h"
#include "engine/item/item_write.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/physics/request_metrics.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space.h"
#include "engine/ttl/expiry.h"

namespace prejoin::engine {
namespace {

// Small, so that a writer of the same item never waits long.
constexpr std::size_t kDeletesPerStep = 25;
constexpr std::size_t kExpiredPerStep = 64;

Result<std::vector<std::string>> NextKeys(storage::Store& store, const storage::Range& range,
                                          std::size_t count) {
  std::vector<std::string> keys;
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
    keys.emplace_back(key);
    return keys.size() < count ? storage::Visit::kContinue : storage::Visit::kStop;
  }));
  return keys;
}

// Looks the items up first, only because their key attributes have to be known; what counts is the
// look that each delete takes inside its transaction.
Status DeleteExpired(Engine& engine, const TablePtr& table,
                     const std::vector<std::string>& entries) {
  std::vector<ItemWrite> writes;
  for (const std::string& entry : entries) {
    PJ_ASSIGN_OR_RETURN(Expiring expiring, DecodeExpiring(entry, table->space));
    PJ_ASSIGN_OR_RETURN(const auto stored, engine.store().Get(expiring.stored_key));
    if (!stored) {
      continue;  // Deleted since the entries were read.
    }
    PJ_ASSIGN_OR_RETURN(const Record record, DecodeWithKeys(*table, nullptr, *stored));
    if (ExpiresAt(*table->expiry, record.item()) != expiring.second) {
      continue;  // Changed since the entries were read.
    }
    ItemWrite write;
    write.kind = WriteKind::kDelete;
    write.table = table;
    write.key = KeyOf(*table, record.item());
    write.stored_key = std::move(expiring.stored_key);
    write.expired_at = expiring.second;
    writes.push_back(std::move(write));
  }
  if (writes.empty()) {
    return {};
  }
  RequestContext context;
  PJ_RETURN_IF_ERROR(RunWrites(engine, context, {.writes = writes, .unmetered = true}));
  if (engine.request_metrics() != nullptr) {
    engine.request_metrics()->CountExpired(table->name(), writes.size());
  }
  return {};
}

// `second` is the first that has not passed yet.
Status SweepLane(Engine& engine, const std::string& table_name, unsigned lane,
                 std::int64_t second) {
  std::string from;
  while (!engine.background().stopping()) {
    // Looked up again for each step: the table may change or go meanwhile.
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    if (table == nullptr || !table->expiry) {
      return {};
    }
    storage::Range range = ExpiryRange(
        *table->expiry, lane, std::max<std::int64_t>(second - kExpiryAgeMaxSeconds, 0), second);
    if (!from.empty()) {
      range.begin = from;
    }
    PJ_ASSIGN_OR_RETURN(const auto entries, NextKeys(engine.store(), range, kDeletesPerStep));
    if (entries.empty()) {
      return {};
    }
    PJ_RETURN_IF_ERROR(DeleteExpired(engine, table, entries));
    from = entries.back() + '\0';
  }
  return {};
}

// Null when the setting for which `space` was made is gone.
TablePtr FindTable(Engine& engine, const std::string& table_name,
                   std::optional<std::uint32_t> space) {
  TablePtr table = engine.catalog().FindOrNull(table_name);
  const bool same = table != nullptr && table->expiry &&
                    table->expiry->space == space.value_or(table->expiry->space);
  return same ? table : nullptr;
}

// Publishes the table with `edit` made to the setting that has `space` (nullopt: any). Nothing
// happens if it is gone.
Result<Retirements> ChangeExpiry(Engine& engine, const std::string& table_name,
                                 std::optional<std::uint32_t> space,
                                 FunctionRef<void(Expiry& expiry)> edit) {
  const auto change = engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || !current->expiry ||
            current->expiry->space != space.value_or(current->expiry->space)) {
          return Error{ErrorCode::kResourceNotFound, "the setting is gone"};
        }
        auto next = CopyOf(*current);
        edit(*next->expiry);
        return next;
      });
  if (!change && change.error().code == ErrorCode::kResourceNotFound) {
    return Retirements();
  }
  PJ_RETURN_IF_ERROR(change);
  return change->old_retired;
}

void SweepExpired(Engine& engine) {
  // An item expires when its second is in the past.
  const std::int64_t second = (engine.clock().NowMs() + 999) / 1000;
  // Takes the name: holding versions through a sweep would keep index builds and new streams waiting.
  for (const std::string& table_name : engine.catalog().Names()) {
    for (unsigned lane = 0; lane < kExpiryLanes && !engine.background().stopping(); ++lane) {
      // The next sweep tries again what this one failed to do; other tables do not wait for it.
      (void)SweepLane(engine, table_name, lane, second);
    }
  }
}

// Begins the second step. The older versions to wait for before FillExpiry; none if the setting is
// gone.
Result<Retirements> AcceptExpiry(Engine& engine, const std::string& table_name) {
  return ChangeExpiry(engine, table_name, std::nullopt,
                      [](Expiry& expiry) { expiry.accepts_entries = true; });
}

// The third step.
Status FillExpiry(Engine& engine, const std::string& table_name) {
  storage::Range range;
  std::optional<std::uint32_t> space;
  while (!engine.background().stopping()) {
    const TablePtr table = FindTable(engine, table_name, space);
    if (table == nullptr) {
      return {};
    }
    space = table->expiry->space;
    if (range.begin.empty()) {
      range = SpaceRange(table->space);
    }
    PJ_ASSIGN_OR_RETURN(const auto keys, NextKeys(engine.store(), range, kExpiredPerStep));
    if (keys.empty()) {
      PJ_RETURN_IF_ERROR(
          ChangeExpiry(engine, table_name, space, [](Expiry& expiry) { expiry.building = false; }));
      return {};
    }
    PJ_RETURN_IF_ERROR(
        engine.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
          for (std::size_t i = 0; i < keys.size(); ++i) {
            if (const auto stored = transaction.Value(i)) {
              PJ_ASSIGN_OR_RETURN(const Record record, DecodeRecord(*stored));
              StageExpiry(*table->expiry, keys[i], std::nullopt, record, transaction);
            }
          }
          return {};
        }));
    range.begin = keys.back() + '\0';
  }
  return {};
}

}  // namespace

void StartExpirySweep(Engine& engine) {
  const auto sweep = [&engine] { SweepExpired(engine); };
  const std::chrono::seconds interval(std::max(engine.options().ttl_sweep_seconds, 1u));
  engine.background().AddSweep(interval, sweep);
  // Items that expired while nothing ran go at once.
  engine.background().Add(sweep);
}

void BuildExpiry(Engine& engine, std::string table_name, Retirements old_versions) {
  const auto retry_later = [&engine, table_name] {
    engine.background().AddLater(kLeftoversInterval,
                                 [&engine, table_name] { BuildExpiry(engine, table_name, {}); });
  };
  const auto fill = [&engine, table_name, retry_later] {
    if (!FillExpiry(engine, table_name)) {
      retry_later();
    }
  };
  // The state begins with the request: a clock that moves before the first step has run counts towards it.
  const std::int64_t due_ms = EndOfState(engine, &StateOptions::enabling_ttl);
  engine.background().Add(
      [&engine, table_name = std::move(table_name), fill, retry_later, due_ms] {
        if (auto not_accepting = AcceptExpiry(engine, table_name)) {
          engine.background().Add([&engine, fill, due_ms] { RunAt(engine, due_ms, fill); },
                                  *std::move(not_accepting));
        } else {
          retry_later();
        }
      },
      std::move(old_versions));
}

}  // namespace prejoin::engine
