#include "engine/table/table_stats.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/worker.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

std::string StatsKey() { return CatalogKey("stats"); }

// One item whose attributes are space numbers, each with a list of count and bytes.
void Save(std::uint32_t space, const Stats& stats, Item& saved) {
  if (!stats.settled) {
    return;
  }
  saved.Set(std::to_string(space), AttributeValue::List{AttributeValue(stats.item_count.load()),
                                                        AttributeValue(stats.size_bytes.load())});
}

void Restore(const Item& saved, std::uint32_t space, Stats& stats) {
  const AttributeValue* value = saved.Find(std::to_string(space));
  const auto* pair = value ? value->list() : nullptr;
  const auto number = [&](std::size_t at) {
    return (*pair)[at].number() ? (*pair)[at].number()->ToInt64() : std::nullopt;
  };
  const bool is_pair = pair != nullptr && pair->size() == 2;
  const auto count = is_pair ? number(0) : std::nullopt;
  const auto bytes = is_pair ? number(1) : std::nullopt;
  stats.settled = count.has_value() && bytes.has_value();
  stats.item_count = count.value_or(0);
  stats.size_bytes = bytes.value_or(0);
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

void StatsGates::Add(Stats& stats) PJ_NO_THREAD_SAFETY_ANALYSIS {
  if (!stats.settled && std::ranges::find(held_, &stats) == held_.end()) {
    stats.gate.lock_shared();
    held_.push_back(&stats);
  }
}

Status CountSpace(storage::Store& store, std::uint32_t space, Stats& stats) {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  ClosedGate gate(stats);
  const std::int64_t count_before = stats.item_count;
  const std::int64_t bytes_before = stats.size_bytes;
  PJ_RETURN_IF_ERROR(store.Visit(SpaceRange(space), [&](std::string_view, std::string_view value) {
    if (store.VisitSeesOneState()) {
      gate.Open();
    }
    ++count;
    bytes += static_cast<std::int64_t>(DecodeRecord(value).size_bytes);
    return storage::Visit::kContinue;
  }));
  stats.item_count += count - count_before;
  stats.size_bytes += bytes - bytes_before;
  stats.settled = true;
  return {};
}

void Recount(Engine& engine, std::string table_name) {
  engine.background().Add([&engine, table_name = std::move(table_name)] {
    // Not the table itself: somebody may wait for the end of this version of it.
    std::vector<std::pair<std::uint32_t, std::shared_ptr<Stats>>> to_count;
    if (const TablePtr table = engine.catalog().FindOrNull(table_name)) {
      to_count.emplace_back(table->space, table->stats);
      for (const Index& index : table->indexes) {
        // A build counts its index itself.
        if (index.description.status != IndexStatus::kCreating || table->restoring) {
          to_count.emplace_back(index.space, index.stats);
        }
      }
      for (const VectorIndex& index : table->vector_indexes) {
        if (index.description.status != IndexStatus::kCreating || table->restoring) {
          to_count.emplace_back(index.space, index.stats);
        }
      }
    }
    for (const auto& [space, stats] : to_count) {
      if (!stats->settled && !engine.background().stopping()) {
        // The next start counts again what could not be counted.
        (void)CountSpace(engine.store(), space, *stats);
      }
    }
  });
}

Status SaveStats(storage::Store& store, const Catalog& catalog) {
  Item saved;
  for (const TablePtr& table : catalog.All()) {
    Save(table->space, *table->stats, saved);
    for (const Index& index : table->indexes) {
      Save(index.space, *index.stats, saved);
    }
    for (const VectorIndex& index : table->vector_indexes) {
      Save(index.space, *index.stats, saved);
    }
  }
  const std::string keys[] = {StatsKey()};
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        transaction.Put(keys[0], EncodeItem(saved));
                        return {};
                      }));
  return store.WaitDurable(ticket);
}

Status LoadStats(storage::Store& store, const Catalog& catalog) {
  const std::string keys[] = {StatsKey()};
  PJ_ASSIGN_OR_RETURN(const auto stored, store.Get(keys[0]));
  Item saved;
  if (stored) {
    PJ_RETURN_IF_ERROR(ValidateItemBody(*stored));
    saved = ItemView(*stored).Decode();
  }
  for (const TablePtr& table : catalog.All()) {
    Restore(saved, table->space, *table->stats);
    for (const Index& index : table->indexes) {
      Restore(saved, index.space, *index.stats);
    }
    for (const VectorIndex& index : table->vector_indexes) {
      Restore(saved, index.space, *index.stats);
    }
  }
  if (stored) {
    PJ_RETURN_IF_ERROR(store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
      transaction.Delete(keys[0]);
      return {};
    }));
  }
  return {};
}

}  // namespace prejoin::engine
