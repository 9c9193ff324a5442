#include "engine/index/index_writes.h"

#include <algorithm>

#include "engine/item/capacity.h"
#include "engine/item/keys.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

struct Entry {
  std::string key;
  std::string projected_body;  // Unused when the index projects all: then `record` has the body.
  Record record;
};

// Makes `entry` the item's entry; false if the item is not in the index.
bool MakeEntry(const Table& table, const Index& index, const Record& item, Entry& entry) {
  auto key = IndexEntryKey(table, index, item.item());
  if (!key) {
    return false;
  }
  entry.key = *std::move(key);
  if (index.projects_all()) {
    entry.record = item;
    return true;
  }
  ItemBuilder builder;
  for (const auto& [name, value] : item.item()) {
    if (std::ranges::binary_search(index.projected, name)) {
      builder.Add(name, value);
    }
  }
  entry.projected_body = std::move(builder).Finish();
  entry.record = {ItemSizeBytes(ItemView(entry.projected_body)), entry.projected_body};
  return true;
}

IndexEffect StageChange(const Index& index, const Entry* old_entry, const Entry* new_entry,
                        storage::Transaction& transaction) {
  IndexEffect effect{.index = &index};
  const bool same_key = old_entry && new_entry && old_entry->key == new_entry->key;
  if (same_key && old_entry->record.body == new_entry->record.body) {
    return effect;
  }
  if (old_entry) {
    effect.count_delta -= 1;
    effect.size_delta -= static_cast<std::int64_t>(old_entry->record.size_bytes);
    if (!same_key) {
      transaction.Delete(old_entry->key);
      effect.write_units += WriteUnits(old_entry->record.size_bytes);
    }
  }
  if (new_entry) {
    effect.count_delta += 1;
    effect.size_delta += static_cast<std::int64_t>(new_entry->record.size_bytes);
    transaction.Put(new_entry->key,
                    EncodeRecord(new_entry->record.size_bytes, new_entry->record.body));
    const std::size_t replaced = same_key ? old_entry->record.size_bytes : 0;
    effect.write_units += WriteUnits(std::max(new_entry->record.size_bytes, replaced));
  }
  return effect;
}

}  // namespace

std::vector<IndexEffect> StageIndexWrites(const Table& table, std::optional<Record> old_item,
                                          std::optional<Record> new_item,
                                          storage::Transaction& local,
                                          storage::Transaction& global) {
  std::vector<IndexEffect> effects;
  for (const Index& index : table.indexes) {
    Entry old_entry;
    Entry new_entry;
    const bool was_in = old_item && MakeEntry(table, index, *old_item, old_entry);
    const bool is_in =
        index.accepts_entries && new_item && MakeEntry(table, index, *new_item, new_entry);
    if (was_in || is_in) {
      effects.push_back(StageChange(index, was_in ? &old_entry : nullptr,
                                    is_in ? &new_entry : nullptr, index.global ? global : local));
    }
  }
  return effects;
}

std::optional<StoredEntry> IndexEntryOf(const Table& table, const Index& index,
                                        const Record& item) {
  Entry entry;
  if (!MakeEntry(table, index, item, entry)) {
    return std::nullopt;
  }
  return StoredEntry{std::move(entry.key),
                     EncodeRecord(entry.record.size_bytes, entry.record.body)};
}

void StageIndexEntry(const Table& table, const Index& index, const Record& item,
                     storage::Transaction& transaction) {
  Entry entry;
  if (MakeEntry(table, index, item, entry)) {
    transaction.Put(entry.key, EncodeRecord(entry.record.size_bytes, entry.record.body));
  }
}

}  // namespace prejoin::engine
