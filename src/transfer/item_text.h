// How items are written in text: given from above, because this folder does not know JSON.
#ifndef PREJOIN_TRANSFER_ITEM_TEXT_H_
#define PREJOIN_TRANSFER_ITEM_TEXT_H_

#include <string>
#include <string_view>

#include "prejoin/item.h"
#include "prejoin/result.h"
#include "value/encoding.h"

namespace prejoin::transfer {

// A line of an incremental export: the item as it is now, or the key of one that is gone.
struct ItemOrKey {
  Item item;
  bool deleted = false;
};

struct ItemText {
  // {"Item":{"PK":{"S":"a"},…}} as an item. kValidation with what is wrong.
  Result<Item> (*parse_wrapped)(std::string_view line);
  // {"PK":{"S":"a"},…}
  Result<Item> (*parse_bare)(std::string_view line);
  // {"Metadata":…,"Keys":{…},"NewImage":{…}}; without NewImage the item was deleted.
  Result<ItemOrKey> (*parse_change)(std::string_view line);
  void (*append_item)(ItemView item, std::string& out);
  // A text with quotes and escapes.
  void (*append_string)(std::string_view text, std::string& out);
  Result<std::string> (*decode_base64)(std::string_view text);
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_ITEM_TEXT_H_
