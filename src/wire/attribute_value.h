// Reading DynamoDB's typed JSON, {"S":"x"}, into attribute values and items.
#ifndef PREJOIN_WIRE_ATTRIBUTE_VALUE_H_
#define PREJOIN_WIRE_ATTRIBUTE_VALUE_H_

#include <optional>
#include <string>

#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

// The first fault of a value that has the right JSON types: DynamoDB's text, or empty.
using ValueFault = std::string;

// `kind` decides the words when the JSON is not an object.
Status ReadAttributeValue(const InputReader& reader, json::Value value, Shape::Kind kind,
                          AttributeValue& out, ValueFault& fault);

// A map of attributes: an item or a key. A fault is reported to the reader with `order`.
Status ReadItem(InputReader& reader, json::Value value, Order order, Item& out);
// The same as an element of a list, which DynamoDB words differently.
Status ReadItemElement(InputReader& reader, json::Value value, Order order, Item& out);

Status ReadAttributeValues(InputReader& reader, json::Value array, const Path& path, Order order,
                           std::vector<AttributeValue>& out);

// Where Query and Scan go on. Most faults are called faults of the starting key.
Status ReadStartKey(InputReader& reader, json::Value value, std::optional<Item>& out);

Status ReadExpressionNames(InputReader& reader, json::Value value,
                           std::optional<AttributeNames>& out);
Status ReadExpressionValues(InputReader& reader, json::Value value,
                            std::optional<AttributeValues>& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ATTRIBUTE_VALUE_H_
