// The item that an update makes of the one that is stored.
#ifndef PREJOIN_ENGINE_ITEM_UPDATED_ITEM_H_
#define PREJOIN_ENGINE_ITEM_UPDATED_ITEM_H_

#include <cstddef>
#include <optional>
#include <string>

#include "engine/item/planned_write.h"
#include "engine/item/record.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::engine {

struct UpdatedItem {
  std::string body;
  std::size_t size_bytes = 0;  // The size by AWS's rules.
  // The values that the update's paths touched: UPDATED_OLD and UPDATED_NEW.
  Item updated_old;
  Item updated_new;
};

// `write` is a kUpdate; without a current item it starts from the key. Refuses what does not fit together, or not into the table.
Result<UpdatedItem> MakeUpdatedItem(const ItemWrite& write, const std::optional<Record>& current);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_UPDATED_ITEM_H_
