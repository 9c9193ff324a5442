#include "engine/vector/vector_writes.h"

#include <algorithm>

#include "engine/item/keys.h"
#include "value/key_encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

constexpr std::int64_t kVectorWriteBytesMin = 1024;

struct StoredVector {
  std::string key;
  std::string partition;
  std::vector<float> vector;
  std::string body;
  std::size_t size_bytes = 0;

  bool SameAs(const StoredVector& other) const {
    return key == other.key && vector == other.vector && body == other.body;
  }
};

bool Holds(const VectorIndex& index, std::string_view name) {
  return name != index.attribute() &&
         (index.description.definition.projection->type == ProjectionType::kAll ||
          std::ranges::binary_search(index.projected, name));
}

// The vector counts as its name and four bytes a number, whatever its digits.
std::size_t VectorBytes(const VectorIndex& index) {
  return index.attribute().size() + sizeof(float) * index.dimensions();
}

// Nothing if the item is not in the index: it lacks the vector or the HASH attribute, or has one
// that does not fit (an item from before the index).
std::optional<StoredVector> MakeEntry(const Table& table, const VectorIndex& index,
                                      const Record& item) {
  auto vector = ReadVector(item.item().Find(index.attribute()), index.dimensions());
  if (!vector) {
    return std::nullopt;
  }
  StoredVector entry;
  entry.vector = *std::move(vector);
  if (index.hash) {
    const ValueView value = item.item().Find(index.hash->name);
    if (!value || !FitsKey(*index.hash, value)) {
      return std::nullopt;
    }
    AppendKeyValue(value, entry.partition);
  }
  entry.key = PartitionPrefix(index.space, entry.partition);
  for (const auto& key : table.keys) {
    AppendKeyValue(item.item().Find(key.name), entry.key);
  }
  ItemBuilder builder;
  for (const auto& [name, value] : item.item()) {
    if (Holds(index, name)) {
      builder.Add(name, value);
    }
  }
  entry.body = std::move(builder).Finish();
  entry.size_bytes = ItemSizeBytes(ItemView(entry.body)) + VectorBytes(index);
  return entry;
}

std::string EncodeEntry(const StoredVector& entry) {
  std::string stored = EncodeRecord(entry.size_bytes, entry.body);
  stored.append(reinterpret_cast<const char*>(entry.vector.data()),
                sizeof(float) * entry.vector.size());
  return stored;
}

void StagePut(StoredVector entry, storage::Transaction& transaction, VectorEffect& effect) {
  transaction.Put(entry.key, EncodeEntry(entry));
  effect.count_delta += 1;
  effect.size_delta += static_cast<std::int64_t>(entry.size_bytes);
  effect.filter = FilterBody(*effect.index, ItemView(entry.body));
  effect.put_key = std::move(entry.key);
  effect.partition = std::move(entry.partition);
  effect.vector = std::move(entry.vector);
}

// The bytes that count for write units.
std::size_t WriteSizeBytes(const Table& table, const Record& item) {
  std::size_t bytes = item.size_bytes;
  std::vector<std::string_view> counted;
  for (const VectorIndex& index : table.vector_indexes) {
    if (std::ranges::find(counted, index.attribute()) != counted.end()) {
      continue;
    }
    counted.push_back(index.attribute());
    const ValueView value = item.item().Find(index.attribute());
    if (value && ReadVector(value, index.dimensions())) {
      bytes -= index.attribute().size() + ValueSizeBytes(value);
      bytes += VectorBytes(index);
    }
  }
  return bytes;
}

}  // namespace

std::vector<VectorEffect> StageVectorWrites(const Table& table, std::optional<Record> old_item,
                                            std::optional<Record> new_item,
                                            storage::Transaction& transaction) {
  std::vector<VectorEffect> effects;
  for (const VectorIndex& index : table.vector_indexes) {
    auto old_entry = old_item ? MakeEntry(table, index, *old_item) : std::nullopt;
    auto new_entry =
        index.accepts_entries && new_item ? MakeEntry(table, index, *new_item) : std::nullopt;
    if ((!old_entry && !new_entry) || (old_entry && new_entry && old_entry->SameAs(*new_entry))) {
      continue;
    }
    VectorEffect& effect = effects.emplace_back(VectorEffect{.index = &index});
    effect.write_bytes =
        std::max(kVectorWriteBytesMin,
                 static_cast<std::int64_t>((new_entry ? *new_entry : *old_entry).size_bytes));
    if (old_entry) {
      effect.count_delta -= 1;
      effect.size_delta -= static_cast<std::int64_t>(old_entry->size_bytes);
      if (!new_entry || new_entry->key != old_entry->key) {
        transaction.Delete(old_entry->key);
        effect.removed_key = std::move(old_entry->key);
      }
    }
    if (new_entry) {
      StagePut(*std::move(new_entry), transaction, effect);
    }
  }
  return effects;
}

std::optional<VectorRecord> VectorRecordOf(const Table& table, const VectorIndex& index,
                                           const Record& item) {
  auto entry = MakeEntry(table, index, item);
  if (!entry) {
    return std::nullopt;
  }
  std::string value = EncodeEntry(*entry);
  return VectorRecord{std::move(entry->key), std::move(value)};
}

std::optional<VectorEffect> StageVectorEntry(const Table& table, const VectorIndex& index,
                                             const Record& item,
                                             storage::Transaction& transaction) {
  auto entry = MakeEntry(table, index, item);
  if (!entry) {
    return std::nullopt;
  }
  VectorEffect effect{.index = &index};
  StagePut(*std::move(entry), transaction, effect);
  return effect;
}

std::size_t WriteSizeBytes(const Table& table, const std::optional<Record>& old_item,
                           const std::optional<Record>& new_item) {
  return std::max(old_item ? WriteSizeBytes(table, *old_item) : 0,
                  new_item ? WriteSizeBytes(table, *new_item) : 0);
}

}  // namespace prejoin::engine
