// Counts the bytes of an item by AWS's rules: what the 400 KB limit and capacity units count.
#ifndef PREJOIN_VALUE_SIZE_H_
#define PREJOIN_VALUE_SIZE_H_

#include <cstddef>

#include "prejoin/item.h"
#include "value/encoding.h"

namespace prejoin {

// Names and values; empty item: 0. The two forms agree to the byte.
std::size_t ItemSizeBytes(const Item& item);
std::size_t ItemSizeBytes(ItemView item);

// One value without its name.
std::size_t ValueSizeBytes(const AttributeValue& value);
std::size_t ValueSizeBytes(ValueView value);

// Counts the values at all depths. Each costs the reader of an answer some bytes beside its own: {"NULL":true}
// is twelve times what is stored for it.
std::size_t ValueCount(ItemView item);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_SIZE_H_
