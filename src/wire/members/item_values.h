// Members that hold attribute values: items, keys, starting keys, names and values of expressions.
#ifndef PREJOIN_WIRE_MEMBERS_ITEM_VALUES_H_
#define PREJOIN_WIRE_MEMBERS_ITEM_VALUES_H_

#include <optional>
#include <string>

#include "json/attribute_value.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

// A map of attributes: an item or a key. A fault is reported to the reader with `order`.
Status ReadItem(InputReader& reader, json::Value value, Order order, Item& out);
// The same as an element of a list, which DynamoDB words differently.
Status ReadItemElement(InputReader& reader, json::Value value, Order order, Item& out);

Status ReadAttributeValues(InputReader& reader, json::Value array, const Path& path, Order order,
                           std::vector<AttributeValue>& out);

// The start key of Query and Scan. Most faults are called faults of the starting key.
Status ReadStartKey(InputReader& reader, json::Value value, std::optional<Item>& out);

Status ReadExpressionNames(InputReader& reader, json::Value value,
                           std::optional<AttributeNames>& out);
// `first` gets the kind of the first fault, if there is one.
Status ReadExpressionValues(InputReader& reader, json::Value value,
                            std::optional<AttributeValues>& out,
                            std::optional<json::FaultKind>* first = nullptr);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_ITEM_VALUES_H_
