// DynamoDB's rules about values, written a second time and as plainly as possible: order of keys,
// sizes.
#ifndef PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_
#define PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/table.h"

namespace prejoin::reference {

bool HasType(const AttributeValue& value, ScalarType type);

// <0, 0, >0. Both are strings, both numbers or both binaries.
int Compare(const AttributeValue& a, const AttributeValue& b);

// Shorter first if one begins with the other.
struct KeyLess {
  bool operator()(const std::vector<AttributeValue>& a, const std::vector<AttributeValue>& b) const;
};

std::size_t SizeBytes(const AttributeValue& value);
std::size_t SizeBytes(const Item& item);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_
