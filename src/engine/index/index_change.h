// Changes to an index while it is built, the same for ordinary and for vector indexes. `kIndexes` is the member of Table that
// holds them: &Table::indexes.
#ifndef PREJOIN_ENGINE_INDEX_INDEX_CHANGE_H_
#define PREJOIN_ENGINE_INDEX_INDEX_CHANGE_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "engine/table/table.h"

namespace prejoin::engine {

// The index that a build is for. Another one may have its name by now, so its space counts: spaces
// are not used again.
struct BuildTarget {
  std::string table_name;
  std::uint32_t space = 0;
};

// Null if the index is gone.
template <auto kIndexes, class T>
auto FindBySpace(T& table, std::uint32_t space) {
  auto& indexes = table.*kIndexes;
  const auto found =
      std::ranges::find_if(indexes, [&](const auto& index) { return index.space == space; });
  return found == indexes.end() ? nullptr : &*found;
}

// Publishes the table with `edit(table, index)` made to it. Nothing happens if the index is gone.
template <auto kIndexes, class Edit>
Result<Retirements> ChangeIndex(Engine& engine, const BuildTarget& target, const Edit& edit) {
  const auto change = engine.catalog().Change(
      target.table_name,
      [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        if (current == nullptr || FindBySpace<kIndexes>(*current, target.space) == nullptr) {
          return Error{ErrorCode::kResourceNotFound, "the index is gone"};
        }
        auto next = CopyOf(*current);
        edit(*next, *FindBySpace<kIndexes>(*next, target.space));
        return next;
      });
  if (!change && change.error().code == ErrorCode::kResourceNotFound) {
    return Retirements();
  }
  PJ_RETURN_IF_ERROR(change);
  return change->old_retired;
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_INDEX_CHANGE_H_
