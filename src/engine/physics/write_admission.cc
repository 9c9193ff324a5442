#include "engine/physics/write_admission.h"

#include <utility>

#include "engine/item/keys.h"

namespace prejoin::engine {
namespace {

std::optional<std::string> EntryKeyOf(const Table& table, const Index& index,
                                      const std::optional<StoredItem>& item) {
  return item ? IndexEntryKey(table, index, ItemView(item->body())) : std::nullopt;
}

}  // namespace

void WriteAdmission::Take(const ItemWrite& write, const Index* index, std::string stored_key,
                          MilliUnits units, std::vector<LimitReached>& reached) {
  auto limit = physics_->Take({.table = *write.table,
                               .index = index,
                               .direction = Direction::kWrite,
                               .stored_key = stored_key,
                               .units = units});
  if (limit) {
    reached.push_back(*std::move(limit));
  } else {
    taken_.push_back({write.table, index, std::move(stored_key), units});
  }
}

void WriteAdmission::TakeEntry(const WriteCost& cost, const IndexEffect& effect,
                               std::vector<LimitReached>& reached) {
  const Table& table = *cost.write.table;
  const MilliUnits units = MilliUnitsOf(effect.write_units);
  auto old_key = EntryKeyOf(table, *effect.index, cost.old_item);
  auto new_key = EntryKeyOf(table, *effect.index, cost.new_item);
  if (old_key && new_key && *old_key != *new_key) {
    // An entry that moves is deleted in one partition and written in another, about the same size.
    const std::size_t reached_before = reached.size();
    Take(cost.write, effect.index, *std::move(old_key), units / 2, reached);
    if (reached.size() == reached_before) {
      Take(cost.write, effect.index, *std::move(new_key), units - units / 2, reached);
    }
  } else if (new_key || old_key) {
    Take(cost.write, effect.index, *std::move(new_key ? new_key : old_key), units, reached);
  }
}

Status WriteAdmission::Admit(const WriteCost& cost) {
  // An item that expires is deleted at no cost.
  if (physics_ == nullptr || cost.write.expired_at) {
    return {};
  }
  const std::size_t taken_before = taken_.size();
  double table_units = cost.table_units * factor_;
  for (const IndexEffect& effect : cost.indexes) {
    table_units += effect.index->global ? 0 : effect.write_units;
  }
  std::vector<LimitReached> reached;
  Take(cost.write, nullptr, cost.write.stored_key, MilliUnitsOf(table_units), reached);
  for (const IndexEffect& effect : cost.indexes) {
    if (effect.index->global && effect.write_units > 0) {
      TakeEntry(cost, effect, reached);
    }
  }
  if (reached.empty()) {
    return {};
  }
  GiveBackFrom(taken_before);
  return ThrottlingError(reached);
}

void WriteAdmission::GiveBackFrom(std::size_t first) {
  for (std::size_t i = first; i < taken_.size(); ++i) {
    physics_->GiveBack({.table = *taken_[i].table,
                        .index = taken_[i].index,
                        .direction = Direction::kWrite,
                        .stored_key = taken_[i].stored_key,
                        .units = taken_[i].units});
  }
  taken_.resize(first);
}

}  // namespace prejoin::engine
