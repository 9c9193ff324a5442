#include "engine/history/history.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/worker.h"
#include "engine/errors.h"
#include "engine/history/history_holds.h"
#include "engine/history/history_numbers.h"
#include "engine/table/catalog.h"
#include "engine/table/space_drop.h"

namespace prejoin::engine {
namespace {

// Requests end soon; this is only so that a fault elsewhere does not hang a connection.
constexpr auto kRetirementTimeout = std::chrono::seconds(30);
constexpr std::int64_t kDayMs = std::int64_t{24} * 60 * 60 * 1000;

KeptTable KeptOf(const Table& table) {
  return {.space = table.space, .history_space = table.history->space};
}

Status CheckUsable(const Table* table, const std::string& table_name) {
  if (table == nullptr) {
    return Error{ErrorCode::kTableNotFound, "Table not found: " + table_name};
  }
  if (!HasItems(*table)) {
    return Error{ErrorCode::kTableInUse, "Table is being created: " + table_name};
  }
  return {};
}

Status AwaitAll(const Retirements& versions) {
  const auto deadline = std::chrono::steady_clock::now() + kRetirementTimeout;
  for (const std::shared_future<void>& retired : versions) {
    if (retired.wait_until(deadline) != std::future_status::ready) {
      return Error{ErrorCode::kUnavailable, "The table is busy. Try again."};
    }
  }
  return {};
}

// Notes a hold of everything if the table's history is there already.
Result<std::optional<KeptTable>> HoldIfKept(Engine& engine, const std::string& table_name) {
  std::optional<KeptTable> kept;
  Status status;
  engine.catalog().WhileUnchanged([&] {
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    status = CheckUsable(table.get(), table_name);
    if (status && table->history && table->history->start != 0) {
      kept = KeptOf(*table);
      engine.holds().Add(*kept, 0);
    }
  });
  PJ_RETURN_IF_ERROR(status);
  return kept;
}

// The first step; a hold of everything is noted with it.
struct Begun {
  KeptTable kept;
  Retirements old_writers_gone;
};
Result<Begun> BeginHistory(Engine& engine, const std::string& table_name) {
  std::optional<KeptTable> kept;
  auto change = engine.catalog().Change(
      table_name,
      [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
        PJ_RETURN_IF_ERROR(CheckUsable(current, table_name));
        auto next = CopyOf(*current);
        if (!next->history) {
          next->history = History{.space = spaces.Allocate()};
        }
        kept = KeptOf(*next);
        engine.holds().Add(*kept, 0);
        return next;
      });
  if (!change) {
    if (kept) {
      engine.holds().Remove(*kept, 0);
    }
    return change.error();
  }
  return Begun{*kept, std::move(change->old_writers_gone)};
}

// The third step.
Status SetStart(Engine& engine, const std::string& table_name, std::uint32_t space) {
  PJ_ASSIGN_OR_RETURN(const SequenceNumber start, engine.history_numbers().Next());
  const auto change = engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || current->space != space) {
          return Error{ErrorCode::kTableNotFound, "Table not found: " + table_name};
        }
        auto next = CopyOf(*current);
        if (next->history && next->history->start == 0) {
          next->history->start = start;
        }
        return next;
      });
  PJ_RETURN_IF_ERROR(change);
  return {};
}

Error NoRecovery(const std::string& table_name) {
  return Error{ErrorCode::kPointInTimeRecoveryUnavailable,
               "Point in time recovery is not enabled for table '" + table_name + "'"};
}

Error NotRestorable() {
  return Error{ErrorCode::kInvalidRestoreTime,
               "An invalid restore time was specified. RestoreDateTime must be between "
               "EarliestRestorableDateTime and LatestRestorableDateTime."};
}

// The remains of a table in that space.
enum class Remains { kNeeded, kTable, kDeletedTable };

Remains Examine(Engine& engine, const Table* current, std::uint32_t space) {
  if (engine.holds().Lowest(space)) {
    return Remains::kNeeded;
  }
  if (current == nullptr || current->space != space) {
    return Remains::kDeletedTable;
  }
  return current->history && !current->recovery ? Remains::kTable : Remains::kNeeded;
}

Status ReleaseHistory(Engine& engine, const std::string& table_name, const KeptTable& table) {
  Remains remains = Remains::kNeeded;
  engine.catalog().WhileUnchanged([&] {
    remains = Examine(engine, engine.catalog().FindOrNull(table_name).get(), table.space);
  });
  if (remains == Remains::kDeletedTable) {
    // No new reader can appear: neither a table nor a backup names it.
    DropSpaces(engine, {table.space, table.history_space}, {});
    return {};
  }
  if (remains == Remains::kNeeded) {
    return {};
  }
  std::uint32_t space_to_drop = 0;
  const auto change = engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (Examine(engine, current, table.space) != Remains::kTable) {
          return ResourceInUse("the history is needed again");
        }
        auto next = CopyOf(*current);
        space_to_drop = next->history->space;
        next->history.reset();
        return next;
      });
  if (!change) {
    return change.error().code == ErrorCode::kResourceInUse ? Status() : change.error();
  }
  DropSpaces(engine, {space_to_drop}, change->old_retired);
  return {};
}

}  // namespace

HistoryHold::HistoryHold(Engine& engine, std::string table_name, const KeptTable& table,
                         SequenceNumber number)
    : HistoryHold(Noted(), engine, std::move(table_name), table, number) {
  engine.holds().Add(table, number);
}

HistoryHold::HistoryHold(Noted, Engine& engine, std::string table_name, const KeptTable& table,
                         SequenceNumber number)
    : engine_(&engine), table_name_(std::move(table_name)), table_(table), number_(number) {}

HistoryHold::HistoryHold(HistoryHold&& other) noexcept
    : engine_(std::exchange(other.engine_, nullptr)),
      table_name_(std::move(other.table_name_)),
      table_(other.table_),
      number_(other.number_) {}

HistoryHold::~HistoryHold() {
  if (engine_ != nullptr) {
    engine_->holds().Remove(table_, number_);
    ReleaseHistoryLater(*engine_, table_name_, table_);
  }
}

Result<HistoryHold> HoldHistory(Engine& engine, const std::string& table_name) {
  PJ_ASSIGN_OR_RETURN(std::optional<KeptTable> kept, HoldIfKept(engine, table_name));
  Retirements old_writers_gone;
  if (!kept) {
    PJ_ASSIGN_OR_RETURN(Begun begun, BeginHistory(engine, table_name));
    kept = begun.kept;
    old_writers_gone = std::move(begun.old_writers_gone);
  }
  const HistoryHold everything(HistoryHold::Noted(), engine, table_name, *kept, 0);
  if (!old_writers_gone.empty()) {
    PJ_RETURN_IF_ERROR(AwaitAll(old_writers_gone));
    PJ_RETURN_IF_ERROR(SetStart(engine, table_name, kept->space));
  }
  PJ_ASSIGN_OR_RETURN(const SequenceNumber now, engine.history_numbers().Next());
  engine.history_numbers().AwaitFinished(now);
  return HistoryHold(engine, table_name, *kept, now);
}

Result<HistoryHold> HoldMoment(Engine& engine, const std::string& table_name,
                               std::int64_t time_ms) {
  PJ_ASSIGN_OR_RETURN(const SequenceNumber next, engine.history_numbers().Next());
  const SequenceNumber number = std::min(SequenceAt(time_ms + 1), next);
  std::optional<KeptTable> kept;
  Status status;
  engine.catalog().WhileUnchanged([&] {
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    status = CheckUsable(table.get(), table_name);
    if (!status) {
      return;
    }
    if (!table->recovery) {
      status = NoRecovery(table_name);
      return;
    }
    const RecoveryWindow window = WindowOf(*table->recovery, engine.clock().NowMs());
    if (time_ms < window.earliest_ms || time_ms > window.latest_ms) {
      status = NotRestorable();
      return;
    }
    kept = KeptOf(*table);
    engine.holds().Add(*kept, number);
  });
  PJ_RETURN_IF_ERROR(status);
  engine.history_numbers().AwaitFinished(number);
  return HistoryHold(HistoryHold::Noted(), engine, table_name, *kept, number);
}

RecoveryWindow WindowOf(const Recovery& recovery, std::int64_t now_ms) {
  // Numbers may run ahead of a clock that was set back.
  const std::int64_t since_ms = std::min(TimeOf(recovery.since), now_ms);
  return {.earliest_ms = std::max(since_ms, now_ms - recovery.days * kDayMs), .latest_ms = now_ms};
}

void ReleaseHistoryLater(Engine& engine, std::string table_name, const KeptTable& table) {
  engine.background().Add([&engine, table_name = std::move(table_name), table] {
    // The next start finds again what a failure leaves behind.
    (void)ReleaseHistory(engine, table_name, table);
  });
}

Status ResumeHistories(Engine& engine) {
  for (const std::string& name : engine.catalog().Names()) {
    const TablePtr table = engine.catalog().FindOrNull(name);
    if (!table->history) {
      continue;
    }
    if (table->history->start == 0) {
      PJ_RETURN_IF_ERROR(SetStart(engine, name, table->space));
    }
    ReleaseHistoryLater(engine, name, KeptOf(*table));
  }
  return {};
}

}  // namespace prejoin::engine
