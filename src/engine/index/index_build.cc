#include "engine/index/index_build.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/index/index_change.h"
#include "engine/index/index_writes.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/table/catalog.h"
#include "engine/table/lasting_states.h"
#include "engine/table/space.h"
#include "engine/table/table_stats.h"

namespace prejoin::engine {
namespace {

// Small, so that a writer of the same item never waits long.
constexpr std::size_t kItemsPerStep = 64;

Result<std::vector<std::string>> NextKeys(storage::Store& store, const storage::Range& range) {
  std::vector<std::string> keys;
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
    keys.emplace_back(key);
    return keys.size() < kItemsPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
  }));
  return keys;
}

Status WriteEntries(storage::Store& store, const Table& table, const Index& index,
                    const std::vector<std::string>& keys) {
  const auto ticket = store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto stored = transaction.Value(i)) {
        PJ_ASSIGN_OR_RETURN(const Record record, DecodeWithKeys(table, nullptr, *stored));
        StageIndexEntry(table, index, record, transaction);
      }
    }
    return {};
  });
  PJ_RETURN_IF_ERROR(ticket);
  return {};
}

void Begin(Engine& engine, const BuildTarget& target, Retirements old_versions);

Status Activate(Engine& engine, const BuildTarget& target) {
  PJ_RETURN_IF_ERROR(ChangeIndex<&Table::indexes>(engine, target, [](Table& table, Index& index) {
    index.description.status = IndexStatus::kActive;
    index.description.backfilling = false;
    table.description.status = TableStatus::kActive;
  }));
  return {};
}

// Begins the second step. The older versions to wait for before FillIndex; none if the index is
// gone.
Result<Retirements> AcceptEntries(Engine& engine, const BuildTarget& target) {
  return ChangeIndex<&Table::indexes>(engine, target,
                                      [](Table&, Index& index) {
                                        index.accepts_entries = true;
                                        index.description.backfilling = true;
                                      });
}

// The third step.
Status FillIndex(Engine& engine, const BuildTarget& target) {
  storage::Range range;
  while (!engine.background().stopping()) {
    // Looked up again for each step: the table may change or go meanwhile.
    const TablePtr table = engine.catalog().FindOrNull(target.table_name);
    const Index* index = table ? FindBySpace<&Table::indexes>(*table, target.space) : nullptr;
    if (index == nullptr) {
      return {};
    }
    if (range.begin.empty()) {
      range = SpaceRange(table->space);
    }
    PJ_ASSIGN_OR_RETURN(const std::vector<std::string> keys, NextKeys(engine.store(), range));
    if (keys.empty()) {
      // Entries of items written meanwhile were counted by their writers and overwritten here:
      // count once, at the end.
      PJ_RETURN_IF_ERROR(
          CountSpace(engine.store(), engine.background(), index->space, *index->stats));
      return Activate(engine, target);
    }
    PJ_RETURN_IF_ERROR(WriteEntries(engine.store(), *table, *index, keys));
    range.begin = keys.back() + '\0';
  }
  return {};
}

// Tries a step again later that could not be done now, for example because the disk was full.
void RetryLater(Engine& engine, const BuildTarget& target) {
  engine.background().AddLater(kLeftoversInterval,
                               [&engine, target] { Begin(engine, target, {}); });
}

void Fill(Engine& engine, const BuildTarget& target) {
  if (!FillIndex(engine, target)) {
    RetryLater(engine, target);
  }
}

// After the allocation.
void Accept(Engine& engine, const BuildTarget& target) {
  if (auto not_accepting = AcceptEntries(engine, target)) {
    engine.background().Add(
        [&engine, target, due_ms = EndOfState(engine, &StateOptions::backfilling)] {
          RunAt(engine, due_ms, [&engine, target] { Fill(engine, target); });
        },
        *std::move(not_accepting));
  } else {
    RetryLater(engine, target);
  }
}

void Begin(Engine& engine, const BuildTarget& target, Retirements old_versions) {
  engine.background().Add(
      [&engine, target, due_ms = EndOfState(engine, &StateOptions::allocating)] {
        RunAt(engine, due_ms, [&engine, target] { Accept(engine, target); });
      },
      std::move(old_versions));
}

}  // namespace

void BuildIndex(Engine& engine, const std::string& table_name, const Index& index,
                Retirements old_versions) {
  Begin(engine, {.table_name = table_name, .space = index.space}, std::move(old_versions));
}

}  // namespace prejoin::engine
