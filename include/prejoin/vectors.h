// SearchVectors: the nearest items by an attribute that holds a list of numbers.
#ifndef PREJOIN_VECTORS_H_
#define PREJOIN_VECTORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/operations.h"

namespace prejoin {

struct SearchVectorsInput {
  std::string table_name;
  std::string index_name;
  std::vector<AttributeValue> search_vector;
  std::int64_t top_k = 0;
  std::optional<std::string> search_condition_expression;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct SearchResult {
  StoredItem item;
  float score = 0;
};

struct SearchVectorsOutput {
  std::vector<SearchResult> results;  // Nearest first.
  std::optional<std::int64_t> search_bytes;
};

}  // namespace prejoin

#endif  // PREJOIN_VECTORS_H_
