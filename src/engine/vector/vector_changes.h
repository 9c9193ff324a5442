// Brings what a write changed into the rows that are searched.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_CHANGES_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_CHANGES_H_

#include <memory>
#include <span>
#include <vector>

#include "engine/item/planned_write.h"
#include "engine/vector/vector_writes.h"
#include "storage/store.h"
#include "vector/vector_rows.h"

namespace prejoin::engine {

// Held by a writer, which holds its tables, from before its transaction until its effects are
// applied, so that no older change of the same item can overtake it unnoticed.
class VectorChanges {
 public:
  void Begin(std::span<const ItemWrite> writes);
  void Apply(const std::vector<VectorEffect>& effects, storage::Ticket ticket);

 private:
  std::vector<std::unique_ptr<vector::VectorRows::Change>> changes_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_CHANGES_H_
