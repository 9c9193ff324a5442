// A vector index as the engine works with it, and how an item's vector is read.
#ifndef PREJOIN_ENGINE_VECTOR_VECTOR_INDEX_H_
#define PREJOIN_ENGINE_VECTOR_VECTOR_INDEX_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/key_condition.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "prejoin/table.h"
#include "value/encoding.h"
#include "vector/distance.h"

namespace prejoin::engine {

struct Stats;
class LoadedVectors;

struct VectorIndex {
  VectorIndexDescription description;
  std::uint32_t space = 0;
  // False at the beginning of a build, as for other indexes (index_build.h).
  bool accepts_entries = true;
  std::shared_ptr<Stats> stats;
  std::shared_ptr<LoadedVectors>
      loaded;  // Goes with the index from version to version of its table.

  // Follow from the description (ResolveVectorIndex).
  std::optional<expr::KeyAttribute> hash;  // Nullopt: all items are searched together.
  std::vector<expr::KeyAttribute> filters;
  // The attributes of an entry, ascending, without the vector. Unused for ALL.
  std::vector<std::string> projected;

  const std::string& name() const { return description.definition.index_name; }
  const std::string& attribute() const { return description.definition.vector_attribute; }
  std::size_t dimensions() const {
    return static_cast<std::size_t>(description.definition.dimensions);
  }
};

vector::DistanceFunction DistanceOf(const VectorIndex& index);

// Fills in what follows from the description. `table_keys` are in every entry. kCorruption for a
// description that no checked request makes.
Status ResolveVectorIndex(const std::vector<AttributeDefinition>& definitions,
                          const std::vector<expr::KeyAttribute>& table_keys, VectorIndex& index);

// The vector as 32-bit floats, or nothing if the value is no such list.
std::optional<std::vector<float>> ReadVector(ValueView value, std::size_t dimensions);
// As a search gives it back.
AttributeValue VectorValue(const std::vector<float>& vector);

// A number as a 32-bit float; nothing if it is out of that range.
std::optional<float> ToFloat(const Number& number);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_VECTOR_INDEX_H_
