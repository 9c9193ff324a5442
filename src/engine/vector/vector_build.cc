#include "engine/vector/vector_build.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/index/index_change.h"
#include "engine/item/keys.h"
#include "engine/table/lasting_states.h"
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

void BeginVectors(Engine& engine, const BuildTarget& target, Retirements old_versions);

Status PutEntries(storage::Store& store, const Table& table, const VectorIndex& index,
                  const std::vector<std::string>& keys) {
  const vector::VectorRows::Change under_way(index.loaded->rows());
  std::vector<VectorEffect> effects;
  const auto ticket = store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    effects.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto stored = transaction.Value(i);
      if (!stored) {
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const Record record, DecodeWithKeys(table, nullptr, *stored));
      if (auto effect = StageVectorEntry(table, index, record, transaction)) {
        effects.push_back(*std::move(effect));
      }
    }
    return {};
  });
  PJ_RETURN_IF_ERROR(ticket);
  VectorChanges().Apply(effects, *ticket);
  return {};
}

Status ActivateVectors(Engine& engine, const BuildTarget& target) {
  PJ_RETURN_IF_ERROR(
      ChangeIndex<&Table::vector_indexes>(engine, target, [](Table&, VectorIndex& built) {
        built.description.status = IndexStatus::kActive;
        built.description.backfilling.reset();
      }));
  return {};
}

// The last step.
Status FillVectors(Engine& engine, const BuildTarget& target) {
  storage::Range range;
  while (!engine.background().stopping()) {
    // Looked up again for each step: the table may change or go meanwhile.
    const TablePtr table = engine.catalog().FindOrNull(target.table_name);
    const VectorIndex* index =
        table ? FindBySpace<&Table::vector_indexes>(*table, target.space) : nullptr;
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
      PJ_RETURN_IF_ERROR(
          CountSpace(engine.store(), engine.background(), index->space, *index->stats));
      return ActivateVectors(engine, target);
    }
    PJ_RETURN_IF_ERROR(PutEntries(engine.store(), *table, *index, keys));
    range.begin = keys.back() + '\0';
  }
  return {};
}

// Tries a step again later that could not be done now, for example because the disk was full.
void RetryVectorsLater(Engine& engine, const BuildTarget& target) {
  engine.background().AddLater(kLeftoversInterval,
                               [&engine, target] { BeginVectors(engine, target, {}); });
}

// After the allocation.
void AcceptVectors(Engine& engine, const BuildTarget& target) {
  auto not_accepting = ChangeIndex<&Table::vector_indexes>(
      engine, target, [](Table& table, VectorIndex& index) {
        index.accepts_entries = true;
        index.description.backfilling = true;
        table.description.status = TableStatus::kActive;
      });
  if (!not_accepting) {
    RetryVectorsLater(engine, target);
    return;
  }
  const auto fill = [&engine, target] {
    if (!FillVectors(engine, target)) {
      RetryVectorsLater(engine, target);
    }
  };
  engine.background().Add(
      [&engine, fill, due_ms = EndOfState(engine, &StateOptions::backfilling)] {
        RunAt(engine, due_ms, fill);
      },
      *std::move(not_accepting));
}

void BeginVectors(Engine& engine, const BuildTarget& target, Retirements old_versions) {
  engine.background().Add(
      [&engine, target, due_ms = EndOfState(engine, &StateOptions::allocating)] {
        RunAt(engine, due_ms, [&engine, target] { AcceptVectors(engine, target); });
      },
      std::move(old_versions));
}

}  // namespace

void BuildVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index,
                      Retirements old_versions) {
  BeginVectors(engine, {.table_name = table_name, .space = index.space}, std::move(old_versions));
}

void LoadVectorIndex(Engine& engine, const std::string& table_name, const VectorIndex& index) {
  const BuildTarget target{.table_name = table_name, .space = index.space};
  engine.background().Add([&engine, target] {
    const auto load = [&engine, &target] {
      while (!engine.background().stopping()) {
        const TablePtr table = engine.catalog().FindOrNull(target.table_name);
        const VectorIndex* found =
            table ? FindBySpace<&Table::vector_indexes>(*table, target.space) : nullptr;
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
    // No request is served from the index before it is loaded, so every core may help, up to some.
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
