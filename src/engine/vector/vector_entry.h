// An entry of a vector index: a record of the projected attributes without the vector, then the
// vector as 32-bit floats. It is stored under the HASH value (or one partition for all) and the
// item's key. Format: docs/formats/catalog.md.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_ENTRY_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_ENTRY_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/item/record.h"
#include "engine/vector/vector_index.h"

namespace prejoin::engine {

// The content of an entry, read in place.
struct VectorEntry {
  std::vector<float> vector;
  Record record;
};
// Nothing if the bytes are no entry of an index of so many dimensions.
std::optional<VectorEntry> DecodeVectorEntry(std::string_view stored, std::size_t dimensions);

// The partition of the rows under which a stored entry key is searched: its bytes up to the item's
// key.
std::string VectorPartition(const VectorIndex& index, const AttributeValue* hash_value);

// The filter attributes of an entry, as a search shows them to its condition.
std::string FilterBody(const VectorIndex& index, ItemView item);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_ENTRY_H_
