// Values as people and other programs write them: no letters for the types.
#ifndef PREJOIN_JSON_PLAIN_VALUE_H_
#define PREJOIN_JSON_PLAIN_VALUE_H_

#include <string>

#include "prejoin/item.h"

namespace prejoin::json {

// {"S": "a"} → "a". Sets become arrays, binary becomes base64; numbers keep all their digits.
void AppendPlain(const AttributeValue& value, std::string& out);
void AppendPlain(const Item& item, std::string& out);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_PLAIN_VALUE_H_
