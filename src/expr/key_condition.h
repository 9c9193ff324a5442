// A key condition taken apart into what the table or index needs: equal parts, then at most one
// range.
#ifndef PREJOIN_EXPR_KEY_CONDITION_H_
#define PREJOIN_EXPR_KEY_CONDITION_H_

#include <optional>
#include <string>
#include <vector>

#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/table.h"

namespace prejoin::expr {

enum class KeyOperator { kEq, kLt, kLe, kGt, kGe, kBetween, kBeginsWith };

struct KeyTerm {
  std::string attribute_name;
  KeyOperator op = KeyOperator::kEq;
  AttributeValue value;
  AttributeValue high;  // kBetween only.
};

constexpr ValueType ValueTypeOf(ScalarType type) {
  switch (type) {
    case ScalarType::kNumber:
      return ValueType::kNumber;
    case ScalarType::kBinary:
      return ValueType::kBinary;
    case ScalarType::kString:
      break;
  }
  return ValueType::kString;
}

// One key attribute of the table or index asked: in schema order, HASH parts first.
struct KeyAttribute {
  std::string name;
  KeyType key_type = KeyType::kHash;
  ScalarType type = ScalarType::kString;
};

// All HASH parts equal, then RANGE parts from the left: all but the last equal.
struct KeyCondition {
  std::vector<KeyTerm> terms;  // In schema order; at least one for each HASH attribute.
};

// Refuses a key condition that no table could have: OR, NOT, IN, <> and most functions, two
// conditions on one key, nested attributes, comparisons without an attribute. DynamoDB reports it
// before it looks for the table.
Status CheckKeyCondition(const Condition& condition);
Status CheckKeyConditions(const LegacyConditions& conditions);

// `condition` was parsed as kKeyCondition. Makes the checks above, then those of the schema, with
// DynamoDB's words: "Query condition missed key schema element: PK", "Query key condition not
// supported", types that do not match the schema, gaps in a multi-attribute sort key, a range
// before its last given part.
Result<KeyCondition> ExtractKeyCondition(const Condition& condition,
                                         const std::vector<KeyAttribute>& schema);
Result<KeyCondition> ExtractKeyCondition(const LegacyConditions& conditions,
                                         const std::vector<KeyAttribute>& schema);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_KEY_CONDITION_H_
