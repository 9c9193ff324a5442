// Printing items as DynamoDB's typed JSON.
#ifndef PREJOIN_JSON_ITEM_JSON_H_
#define PREJOIN_JSON_ITEM_JSON_H_

#include <string>

#include "prejoin/item.h"
#include "value/encoding.h"

namespace prejoin::json {

// Straight from the stored bytes: this is where Query spends its time.
void AppendItem(ItemView item, std::string& out);
void AppendItem(const StoredItem& item, std::string& out);

void AppendItem(const Item& item, std::string& out);
void AppendValue(const AttributeValue& value, std::string& out);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_ITEM_JSON_H_
