// Keeps the entries of vector indexes in step with their item, as index_writes.h does for other
// indexes.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_WRITES_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_WRITES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/item/record.h"
#include "engine/table/table.h"
#include "engine/vector/vector_entry.h"
#include "storage/store.h"

namespace prejoin::engine {

// The effect of a write on one vector index. Owns its bytes: it is applied to what is in memory after
// the commit.
struct VectorEffect {
  const VectorIndex* index = nullptr;  // Borrowed from the table.
  std::string removed_key;             // Empty: none.
  std::string put_key;                 // Empty: none.
  std::string partition;
  std::vector<float> vector;
  std::string filter;
  std::int64_t write_bytes = 0;  // 0: untouched.
  std::int64_t count_delta = 0;
  std::int64_t size_delta = 0;
};

// Stages the change of every vector index from the old to the new item (nullopt: none).
std::vector<VectorEffect> StageVectorWrites(const Table& table, std::optional<Record> old_item,
                                            std::optional<Record> new_item,
                                            storage::Transaction& transaction);

// Stages the entry of one item in one index, whatever is there: for building an index.
std::optional<VectorEffect> StageVectorEntry(const Table& table, const VectorIndex& index,
                                             const Record& item, storage::Transaction& transaction);

// The record of an item's entry in an index, as it is stored; nothing if the item is not in the index.
struct VectorRecord {
  std::string key;
  std::string value;
};
std::optional<VectorRecord> VectorRecordOf(const Table& table, const VectorIndex& index,
                                           const Record& item);

// Returns the bytes that count for the table's write units, from the larger of both items: a vector counts four
// for each dimension there.
std::size_t WriteSizeBytes(const Table& table, const std::optional<Record>& old_item,
                           const std::optional<Record>& new_item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_WRITES_H_
