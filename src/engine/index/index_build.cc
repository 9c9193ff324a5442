#include "engine/index/index_build.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/index/index_writes.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/table/catalog.h"
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
        StageIndexEntry(table, index, DecodeRecord(*stored), transaction);
      }
    }
    return {};
  });
  PJ_RETURN_IF_ERROR(ticket);
  return {};
}

// Publishes the table with `edit` made to the index. Nothing happens if the index is gone.
Result<Retirements> ChangeIndex(Engine& engine, const std::string& table_name,
                                const std::string& index_name,
                                FunctionRef<void(Table& table, Index& index)> edit) {
  const auto change = engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || current->FindIndex(index_name) == nullptr) {
          return Error{ErrorCode::kResourceNotFound, "the index is gone"};
        }
        auto next = CopyOf(*current);
        edit(*next, *std::ranges::find(next->indexes, index_name, &Index::name));
        return next;
      });
  if (!change && change.error().code == ErrorCode::kResourceNotFound) {
    return Retirements();
  }
  PJ_RETURN_IF_ERROR(change);
  return change->old_retired;
}

Status Activate(Engine& engine, const std::string& table_name, const std::string& index_name) {
  PJ_RETURN_IF_ERROR(ChangeIndex(engine, table_name, index_name, [](Table& table, Index& index) {
    index.description.status = IndexStatus::kActive;
    index.description.backfilling = false;
    table.description.status = TableStatus::kActive;
  }));
  return {};
}

// Begins the second step. The older versions to wait for before FillIndex; none if the index is
// gone.
Result<Retirements> AcceptEntries(Engine& engine, const std::string& table_name,
                                  const std::string& index_name) {
  return ChangeIndex(engine, table_name, index_name,
                     [](Table&, Index& index) { index.accepts_entries = true; });
}

// The third step.
Status FillIndex(Engine& engine, const std::string& table_name, const std::string& index_name) {
  storage::Range range;
  std::uint32_t index_space = 0;
  while (!engine.background().stopping()) {
    // Looked up again for each step: the table may change or go meanwhile.
    const TablePtr table = engine.catalog().FindOrNull(table_name);
    const Index* index = table ? table->FindIndex(index_name) : nullptr;
    if (index == nullptr) {
      return {};
    }
    if (range.begin.empty()) {
      range = SpaceRange(table->space);
      index_space = index->space;
    }
    if (index->space != index_space) {
      return {};  // Deleted, and another one made with the same name. Spaces are not used again.
    }
    PJ_ASSIGN_OR_RETURN(const std::vector<std::string> keys, NextKeys(engine.store(), range));
    if (keys.empty()) {
      // Entries of items written meanwhile were counted by their writers and overwritten here:
      // count once, at the end.
      PJ_RETURN_IF_ERROR(CountSpace(engine.store(), index->space, *index->stats));
      return Activate(engine, table_name, index_name);
    }
    PJ_RETURN_IF_ERROR(WriteEntries(engine.store(), *table, *index, keys));
    range.begin = keys.back() + '\0';
  }
  return {};
}

}  // namespace

void BuildIndex(Engine& engine, std::string table_name, std::string index_name,
                Retirements old_versions) {
  // A failure leaves the index CREATING; the next start tries again.
  engine.background().Add(
      [&engine, table_name = std::move(table_name), index_name = std::move(index_name)] {
        auto not_accepting = AcceptEntries(engine, table_name, index_name);
        if (!not_accepting) {
          return;
        }
        engine.background().Add(
            [&engine, table_name, index_name] { (void)FillIndex(engine, table_name, index_name); },
            *std::move(not_accepting));
      },
      std::move(old_versions));
}

}  // namespace prejoin::engine
