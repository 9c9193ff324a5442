#include "engine/vector/vector_changes.h"

#include "engine/vector/loaded_vectors.h"

namespace prejoin::engine {

void VectorChanges::Begin(std::span<const ItemWrite> writes) {
  for (const ItemWrite& write : writes) {
    for (const VectorIndex& index : write.table->vector_indexes) {
      changes_.push_back(std::make_unique<vector::VectorRows::Change>(index.loaded->rows()));
    }
  }
}

void VectorChanges::Apply(const std::vector<VectorEffect>& effects, storage::Ticket ticket) {
  for (const VectorEffect& effect : effects) {
    vector::VectorRows& rows = effect.index->loaded->rows();
    if (!effect.removed_key.empty()) {
      rows.Remove(effect.removed_key, ticket);
    }
    if (!effect.put_key.empty()) {
      rows.Put({.partition = effect.partition,
                .key = effect.put_key,
                .vector = effect.vector,
                .filter = effect.filter},
               ticket);
    }
  }
}

}  // namespace prejoin::engine
