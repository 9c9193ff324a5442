#include "engine/vector/vector_build.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/table/space.h"
#include "engine/table/table_stats.h"
#include "engine/vector/loaded_vectors.h"
#include "engine/vector/vector_changes.h"
#include "engine/vector/vector_writes.h"

namespace prejoin::engine {
namespace {

// Small, so that a writer of the same item never waits long.
constexpr std::size_t kVectorsPerStep = 64;

constexpr unsigned kLoadersMax = 4;

// The index that a build is for. Another one may have its name by now, so its space counts: spaces
// are not used again.
struct VectorTarget {
  std::string table_name;
  std::uint32_t space = 0;
};

const VectorIndex* FindVectorsBySpace(const Table& table, std::uint32_t space) {
  const auto found = std::ranges::find(table.vector_indexes, space, &VectorIndex::space);
  return found == table.vector_indexes.end() ? nullptr : &*found;
}

void BeginVectors(Engine& engine, const VectorTarget& target, Retirements old_versions);

// Publishes the table with `edit` made to the index. Nothing happens if the index is gone.
Result<Retirements> ChangeVectorIndex(Engine& engine, const VectorTarget& target,
                                      FunctionRef<void(Table& table, VectorIndex& index)> edit) {
  const auto change = engine.catalog().Change(
      target.table_name,
      [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || FindVectorsBySpace(*current, target.space) == nullptr) {
          return Error{ErrorCode::kResourceNotFound, "the index is gone"};
        }
        auto next = CopyOf(*current);
        edit(*next, *std::ranges::find(next->vector_indexes, target.space, &VectorIndex::space));
        return next;
      });
  if (!change && change.error().code == ErrorCode::kResourceNotFound) {
    return Retirements();
  }
  PJ_RETURN_IF_ERROR(change);
  return change->old_retired;
}

Status PutEntries(storage::Store& store, const Table& table, const VectorIndex& index,
                  const std::vector<std::string>& keys) {
  const vector::VectorRows::Change under_way(index.loaded->rows());
  std::vector<VectorEffect> effects;
  const auto ticket = store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    effects.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto stored = transaction.Value(i);
      auto effect = stored ? StageVectorEntry(table, index, DecodeRecord(*stored), transaction)
                           : std::nullopt;
      if (effect) {
        effects.push_back(*std::move(effect));
      }
    }
    return {};
  });
  PJ_RETURN_IF_ERROR(ticket);
  VectorChanges().Apply(effects, *ticket);
  return {};
}

Status ActivateVectors(Engine& engine, const VectorTarget& target) {
  PJ_RETURN_IF_ERROR(ChangeVectorIndex(engine, target, [](Table&, VectorIndex& built) {
    built.description.status = IndexStatus::kActive;
    built.description.backfilling.reset();
  }));
  return {};
}

// The last step.
Status FillVectors(Engine& engine, const VectorTarget& target) {
  storage::Range range;
  while (!engine.background().stopping()) {
    // Looked up again for each step: the table may change or go meanwhile.
    const TablePtr table = engine.catalog().FindOrNull(target.table_name);
    const VectorIndex* index = table ? FindVectorsBySpace(*table, target.space) : nullptr;
    if (index == nullptr) {
      return {};
    }
    if (range.begin.empty()) {
      range = SpaceRange(table->space);
    }
    std::vector<std::string> keys;
    PJ_RETURN_IF_ERROR(engine.store().Visit(range, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return keys.size() < kVectorsPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
    }));
    if (keys.empty()) {
      // Entries of items written meanwhile were counted by their writers and overwritten here:
      // count once, at the end.
      PJ_RETURN_IF_ERROR(CountSpace(engine.store(), index->space, *index->stats));
      return ActivateVectors(engine, target);
    }
    PJ_RETURN_IF_ERROR(PutEntries(engine.store(), *table, *index, keys));
    range.begin = keys.back() + '\0';
  }
  return {};
}

// Tries a step again later that could not be done now, for example because the disk was full.
void RetryVectorsLater(Engine& engine, const VectorTarget& target) {
  engine.background().AddLater(kLeftoversInterval,
                               [&engine, target] { BeginVectors(engine, target, {}); });
}

void BeginVectors(Engine& engine, const VectorTarget& target, Retirements old_versions) {
  const auto fill = [&engine, target] {
    if (!FillVectors(engine, target)) {
      RetryVectorsLater(engine, target);
    }
  };
  engine.background().Add(
      [&engine, target, fill] {
        auto not_accepting =
            ChangeVectorIndex(engine, target, [](Table& table, VectorIndex& index) {
              index.accepts_entries = true;
              index.description.backfilling = true;
              table.description.status = TableStatus::kActive;
            });
        if (not_accepting) {
          engine.background().Add(fill, *std::move(not_accepting));
        } else {
          RetryVectorsLater(engine, target);
        }
      },
      std::move(old_versions));
}

}  // namespace

void BuildVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index,
                      Retirements old_versions) {
  BeginVectors(engine, {.table_name = table_name, .space = index.space}, std::move(old_versions));
}

void LoadVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index) {
  const VectorTarget target{.table_name = table_name, .space = index.space};
  engine.background().Add([&engine, target] {
    const auto load = [&engine, &target] {
      while (!engine.background().stopping()) {
        const TablePtr table = engine.catalog().FindOrNull(target.table_name);
        const VectorIndex* found = table ? FindVectorsBySpace(*table, target.space) : nullptr;
        if (found == nullptr) {
          return;
        }
        const auto progress = found->loaded->LoadSome(engine.store(), *found);
        // A search tells about what cannot be read.
        if (!progress || *progress == LoadedVectors::Progress::kDone) {
          return;
        }
      }
    };
    // Nobody is served from the index before it is loaded, so every core may help, up to some.
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::min(std::thread::hardware_concurrency(), kLoadersMax); ++i) {
      others.emplace_back(load);
    }
    load();
    for (std::thread& other : others) {
      other.join();
    }
  });
}

}  // namespace prejoin::engine
