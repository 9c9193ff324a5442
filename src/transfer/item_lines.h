// Items as lines of DynamoDB JSON: how exports and imports write them. All refuse a line with
// kValidation and what is wrong.
#ifndef PREJOIN_TRANSFER_ITEM_LINES_H_
#define PREJOIN_TRANSFER_ITEM_LINES_H_

#include <string_view>

#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::transfer {

// A line of an incremental export: the item as it is now, or the key of one that is gone.
struct ItemOrKey {
  Item item;
  bool deleted = false;
};

// {"Item":{"PK":{"S":"a"},…}}
Result<Item> ParseWrappedItem(std::string_view line);
// {"PK":{"S":"a"},…}
Result<Item> ParseBareItem(std::string_view line);
// {"Metadata":…,"Keys":{…},"NewImage":{…}}; without NewImage the item was deleted.
Result<ItemOrKey> ParseChange(std::string_view line);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_ITEM_LINES_H_
