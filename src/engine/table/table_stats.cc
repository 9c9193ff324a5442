#include "engine/table/table_stats.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/patience.h"
#include "base/worker.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

std::string StatsKey() { return CatalogKey("stats"); }
std::string CheckpointKey() { return CatalogKey("stats-checkpoint"); }

// Spaces that have figures, and these.
using SpaceStats = std::vector<std::pair<std::uint32_t, std::shared_ptr<Stats>>>;

SpaceStats StatsOf(const Catalog& catalog) {
  SpaceStats all;
  const auto add_all = [&](const auto& owners) {
    for (const auto& owner : owners) {
      all.emplace_back(owner.space, owner.stats);
    }
  };
  for (const TablePtr& table : catalog.All()) {
    all.emplace_back(table->space, table->stats);
    add_all(table->indexes);
    add_all(table->vector_indexes);
  }
  return all;
}

// One item whose attributes are space numbers, each with a list of count and bytes.
void Save(std::uint32_t space, const Stats& stats, Item& saved) {
  saved.Set(std::to_string(space), AttributeValue::List{AttributeValue(stats.item_count.load()),
                                                        AttributeValue(stats.size_bytes.load())});
}

std::string EncodeCheckpoint(const SpaceStats& all) {
  Item checkpoint;
  for (const auto& [space, stats] : all) {
    Save(space, *stats, checkpoint);
  }
  return EncodeItem(checkpoint);
}

// False, and nothing changed, if there is nothing about the space.
bool Restore(const Item& saved, std::uint32_t space, Stats& stats) {
  const AttributeValue* value = saved.Find(std::to_string(space));
  const auto* pair = value ? value->list() : nullptr;
  const auto number = [&](std::size_t at) {
    return (*pair)[at].number() ? (*pair)[at].number()->ToInt64() : std::nullopt;
  };
  const bool is_pair = pair != nullptr && pair->size() == 2;
  const auto count = is_pair ? number(0) : std::nullopt;
  const auto bytes = is_pair ? number(1) : std::nullopt;
  if (!count || !bytes) {
    return false;
  }
  stats.item_count = *count;
  stats.size_bytes = *bytes;
  return true;
}

// Empty if there is none.
Result<Item> ReadSaved(storage::Store& store, const std::string& key) {
  PJ_ASSIGN_OR_RETURN(const auto stored, store.Get(key));
  if (!stored) {
    return Item();
  }
  PJ_RETURN_IF_ERROR(ValidateItemBody(*stored));
  return ItemView(*stored).Decode();
}

// Held from the begin of a count until its read has begun.
class ClosedGate {
 public:
  explicit ClosedGate(Stats& stats) PJ_NO_THREAD_SAFETY_ANALYSIS : gate_(&stats.gate) {
    gate_->lock();
  }
  ~ClosedGate() { Open(); }
  ClosedGate(const ClosedGate&) = delete;
  ClosedGate& operator=(const ClosedGate&) = delete;
  void Open() PJ_NO_THREAD_SAFETY_ANALYSIS {
    if (gate_ != nullptr) {
      std::exchange(gate_, nullptr)->unlock();
    }
  }

 private:
  SharedMutex* gate_;
};

}  // namespace

StatsGates::~StatsGates() PJ_NO_THREAD_SAFETY_ANALYSIS {
  for (Stats* stats : held_) {
    stats->gate.unlock_shared();
  }
}

bool StatsGates::Add(Stats& stats) PJ_NO_THREAD_SAFETY_ANALYSIS {
  if (stats.settled || std::ranges::find(held_, &stats) != held_.end()) {
    return true;
  }
  if (!MayWait()) {
    NoteObstacle(0);
    return false;
  }
  stats.gate.lock_shared();
  held_.push_back(&stats);
  return true;
}

Status CountSpace(storage::Store& store, const Worker& worker, std::uint32_t space, Stats& stats) {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  ClosedGate gate(stats);
  const std::int64_t count_before = stats.item_count;
  const std::int64_t bytes_before = stats.size_bytes;
  storage::Range range = SpaceRange(space);
  range.reads_once = true;
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view, std::string_view value) {
    if (store.VisitSeesOneState()) {
      gate.Open();
    }
    ++count;
    bytes += static_cast<std::int64_t>(SizeInRecord(value));
    return worker.stopping() ? storage::Visit::kStop : storage::Visit::kContinue;
  }));
  if (worker.stopping()) {
    return Error{ErrorCode::kUnavailable, "stopped before everything was counted"};
  }
  stats.item_count += count - count_before;
  stats.size_bytes += bytes - bytes_before;
  stats.settled = true;
  return {};
}

void Recount(Engine& engine, const std::string& table_name) {
  // Not the table itself: somebody may wait for the end of this version of it.
  SpaceStats to_count;
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return;
  }
  const auto add = [&](std::uint32_t space, const std::shared_ptr<Stats>& stats) {
    if (!stats->settled) {
      to_count.emplace_back(space, stats);
    }
  };
  const auto add_indexes = [&](const auto& indexes) {
    for (const auto& index : indexes) {
      // A build counts its index itself.
      if (index.description.status != IndexStatus::kCreating || table->restoring) {
        add(index.space, index.stats);
      }
    }
  };
  add(table->space, table->stats);
  add_indexes(table->indexes);
  add_indexes(table->vector_indexes);
  if (to_count.empty()) {
    return;
  }
  engine.counting().Add([&engine, to_count = std::move(to_count)] {
    for (const auto& [space, stats] : to_count) {
      if (!stats->settled && !engine.counting().stopping()) {
        // The next start counts again what could not be counted.
        (void)CountSpace(engine.store(), engine.counting(), space, *stats);
      }
    }
  });
}

void StartStatsCheckpoints(Engine& engine) {
  const auto write = [&engine, last = std::make_shared<std::string>()] {
    std::string checkpoint = EncodeCheckpoint(StatsOf(engine.catalog()));
    if (checkpoint == *last) {
      return;
    }
    const std::string keys[] = {CheckpointKey()};
    const auto written =
        engine.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
          transaction.Put(keys[0], checkpoint);
          return {};
        });
    // The next one tries again what this one failed to write.
    if (written) {
      *last = std::move(checkpoint);
    }
  };
  engine.background().AddSweep(kLeftoversInterval, write);
}

Status SaveStats(storage::Store& store, const Catalog& catalog) {
  const SpaceStats all = StatsOf(catalog);
  Item saved;
  for (const auto& [space, stats] : all) {
    if (stats->settled) {
      Save(space, *stats, saved);
    }
  }
  const std::string keys[] = {StatsKey(), CheckpointKey()};
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        transaction.Put(keys[0], EncodeItem(saved));
                        transaction.Put(keys[1], EncodeCheckpoint(all));
                        return {};
                      }));
  return store.WaitDurable(ticket);
}

Result<std::map<std::uint32_t, std::int64_t>> ReadSavedCounts(storage::Store& store) {
  std::map<std::uint32_t, std::int64_t> counts;
  PJ_ASSIGN_OR_RETURN(const Item saved, ReadSaved(store, StatsKey()));
  for (const auto& [name, value] : saved) {
    std::uint32_t space = 0;
    const auto [at, error] = std::from_chars(name.data(), name.data() + name.size(), space);
    Stats stats;
    if (error == std::errc() && at == name.data() + name.size() && Restore(saved, space, stats)) {
      counts[space] = stats.item_count;
    }
  }
  return counts;
}

Status LoadStats(storage::Store& store, const Catalog& catalog) {
  PJ_ASSIGN_OR_RETURN(const Item saved, ReadSaved(store, StatsKey()));
  PJ_ASSIGN_OR_RETURN(const Item checkpoint, ReadSaved(store, CheckpointKey()));
  for (const auto& [space, stats] : StatsOf(catalog)) {
    stats->settled = Restore(saved, space, *stats);
    if (!stats->settled) {
      (void)Restore(checkpoint, space, *stats);
    }
  }
  const std::string keys[] = {StatsKey()};
  PJ_RETURN_IF_ERROR(store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    if (transaction.Value(0)) {
      transaction.Delete(keys[0]);
    }
    return {};
  }));
  return {};
}

}  // namespace prejoin::engine
