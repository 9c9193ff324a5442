// Keeps index entries in step with their item. The one place where entries are made; index_outbox.h
// lets those of global indexes follow later.
#ifndef PREJOIN_ENGINE_INDEX_INDEX_WRITES_H_
#define PREJOIN_ENGINE_INDEX_INDEX_WRITES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/item/record.h"
#include "engine/table/table.h"
#include "storage/store.h"

namespace prejoin::engine {

// The effect of a write on one index.
struct IndexEffect {
  const Index* index = nullptr;  // Borrowed from the table.
  double write_units = 0;        // 0: untouched.
  std::int64_t count_delta = 0;
  std::int64_t size_delta = 0;
};

// Stages the change of every index from the old to the new item (nullopt: none) and says what each
// costs: 1 write to enter, leave or change projected attributes, 2 to move to another key, 0 if the
// entry stays as it is. Entries of global indexes are staged in `global`, which may be the same.
std::vector<IndexEffect> StageIndexWrites(const Table& table, std::optional<Record> old_item,
                                          std::optional<Record> new_item,
                                          storage::Transaction& local,
                                          storage::Transaction& global);

// Stages the entry of one item in one index, whatever is there: for building an index.
void StageIndexEntry(const Table& table, const Index& index, const Record& item,
                     storage::Transaction& transaction);

// The entry that the item has in the index; nullopt: none. The item has its keys.
struct StoredEntry {
  std::string key;
  std::string value;
};
std::optional<StoredEntry> IndexEntryOf(const Table& table, const Index& index, const Record& item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_INDEX_WRITES_H_
