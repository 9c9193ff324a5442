// Reading DynamoDB's typed JSON, {"S":"x"}, into attribute values and items.
#ifndef PREJOIN_JSON_ATTRIBUTE_VALUE_H_
#define PREJOIN_JSON_ATTRIBUTE_VALUE_H_

#include <cstdint>
#include <string>

#include "base/limits.h"
#include "json/reader.h"
#include "json/type_checks.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::json {

// What decides where and when DynamoDB speaks of a fault.
enum class FaultKind : std::uint8_t {
  kName,     // An attribute's name is empty or too long.
  kNesting,  // More levels than a value may have.
  kNumber,   // A number or a set of numbers, or a set that holds a member twice.
  kOther,
};

// The first fault of a value that has the right JSON types.
struct ValueFault {
  std::string text;  // DynamoDB's; empty if there is none.
  FaultKind kind = FaultKind::kOther;

  bool empty() const { return text.empty(); }
};

// AWS has re-worded some faults for some operations, and not for others.
enum class ValueTexts { kOld, kNew };

// `kind` decides the words when the JSON is not an object. An error is a wrong JSON type.
// `levels_max` is how many levels the value may have, itself included.
Status ReadAttributeValue(Value value, Shape::Kind kind, ValueTexts texts, AttributeValue& out,
                          ValueFault& fault, int levels_max = kNestingDepthMax);
// A map of attributes: an item or a key. A name that is empty or too long counts before all other
// faults, one inside of a value after them.
Status ReadItem(Value value, Shape::Kind kind, ValueTexts texts, Item& out, ValueFault& fault);

// The same for readers that need no such distinction: kValidation with whatever is wrong.
Result<Item> ReadItem(Value value);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_ATTRIBUTE_VALUE_H_
