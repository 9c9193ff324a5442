// The SearchConditionExpression of SearchVectors: `a = :x AND b = :y` over the attributes of the
// search schema.
#ifndef PREJOIN_ENGINE_VECTOR_SEARCH_CONDITION_H_
#define PREJOIN_ENGINE_VECTOR_SEARCH_CONDITION_H_

#include <optional>
#include <string>

#include "engine/vector/vector_index.h"
#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "value/encoding.h"

namespace prejoin::engine {

struct SearchCondition {
  // The rows to search (vector_entry.h).
  std::string partition;
  // The value that selects the partition; nullopt if the index has no HASH attribute.
  std::optional<AttributeValue> hash_value;
  // The values that the filter attributes must be equal to, as an encoded item; empty if there are none.
  std::string filters;

  // `filter`: the entry's filter attributes, as FilterBody writes them. Asked for every row that is
  // near enough, so it compares encodings.
  bool Accepts(std::string_view filter) const;
};

// `condition` is null if the request has none.
Result<SearchCondition> ReadSearchCondition(const VectorIndex& index,
                                            const expr::Condition* condition);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VECTOR_SEARCH_CONDITION_H_
