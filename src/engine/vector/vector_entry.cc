#include "engine/vector/vector_entry.h"

#include <algorithm>
#include <cstring>

#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

bool IsFilter(const VectorIndex& index, std::string_view name) {
  return std::ranges::find(index.filters, name, &expr::KeyAttribute::name) != index.filters.end();
}

}  // namespace

std::string VectorPartition(const VectorIndex& index, const AttributeValue* hash_value) {
  std::string partition;
  if (index.hash && hash_value != nullptr) {
    AppendKeyValue(*hash_value, partition);
  }
  return partition;
}

std::string FilterBody(const VectorIndex& index, ItemView item) {
  if (index.filters.empty()) {
    return {};
  }
  ItemBuilder builder;
  for (const auto& [name, value] : item) {
    if (IsFilter(index, name)) {
      builder.Add(name, value);
    }
  }
  return std::move(builder).Finish();
}

std::optional<VectorEntry> DecodeVectorEntry(std::string_view stored, std::size_t dimensions) {
  const std::size_t vector_bytes = sizeof(float) * dimensions;
  if (stored.size() < vector_bytes || !IsRecord(stored.substr(0, stored.size() - vector_bytes))) {
    return std::nullopt;
  }
  VectorEntry entry;
  entry.vector.resize(dimensions);
  const std::size_t record_bytes = stored.size() - vector_bytes;
  std::memcpy(entry.vector.data(), stored.data() + record_bytes, vector_bytes);
  entry.record = KnownRecord(stored.substr(0, record_bytes));
  return entry;
}

}  // namespace prejoin::engine
