// DynamoDB's rules about values, written a second time and as plainly as possible: order of keys,
// sizes, comparators and functions of conditions. All tests that need a second opinion take it here.
#ifndef PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_
#define PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_

#include <cstddef>
#include <optional>
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

// "=", "<>", "<", "<=", ">" or ">="; a value that is not there is null.
bool Compares(const AttributeValue* value, const std::string& comparator,
              const AttributeValue& operand);

// The function size. AWS's guide says "the length of the string" and gives no unit. We count
// UTF-16 units, as Java does; no capture of AWS confirms it yet: size("é𝄞") is 3, although the item is charged 6
// bytes for it.
std::optional<std::size_t> SizeOf(const AttributeValue& value);
bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix);
bool Contains(const AttributeValue& value, const AttributeValue& part);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_VALUE_RULES_H_
