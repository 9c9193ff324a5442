// Keys as the attributes that they are made of, and their templates: prefixes that a person would write, equal where keys mean the
// same thing, different elsewhere.
#ifndef PREJOIN_MODEL_LAYOUT_KEY_SHAPE_H_
#define PREJOIN_MODEL_LAYOUT_KEY_SHAPE_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// The attributes that a partition and a sort key are made of, in order.
struct KeyShape {
  std::vector<std::string> partition;  // Empty: all rows of the entity under one key.
  std::vector<std::string> sort;
  int shards = 1;
  std::string shard_of;
  friend auto operator<=>(const KeyShape&, const KeyShape&) = default;
};

// The shape of keys that are there; no sort key is none.
KeyShape ShapeOf(const KeyTemplate& partition, const KeyTemplate* sort);

// "CUSTOMER#{customerId}", "DAY#{day}#{status}#{shard 4 of id}", "ORDER" when nothing is bound.
std::string PartitionText(const Model& logical, const std::string& entity, const KeyShape& key);

// Where an entity stands in its collection, when it has nothing to sort by; alone, it needs no prefix.
enum class SortPlace { kFirst, kLast, kAlone };

// "ORDER#{placed}#{id}"; of a key without sort attributes "#CUSTOMER", which stands before all others of its collection, or
// "~CUSTOMER", which stands behind them.
std::string SortText(const Model& logical, const std::string& entity, const KeyShape& key,
                     SortPlace place);

// The partition key in terms of what its attributes mean, whatever they are called in the entity: equal for keys whose
// items share partitions.
std::string PartitionMeaning(const Model& logical, const std::string& entity, const KeyShape& key);

// Attributes in the order in which keys name them: those that point furthest up first, whatever the order in the file.
std::vector<std::string> InKeyOrder(const Model& logical, const std::string& entity,
                                    std::vector<std::string> attributes);

// True if its values can be read back from a key that holds it.
bool IsReadBack(const Attribute& attribute);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_KEY_SHAPE_H_
