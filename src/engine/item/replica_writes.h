// The part of a write that its table's replicas need, in the item's own transaction.
#ifndef PREJOIN_ENGINE_ITEM_REPLICA_WRITES_H_
#define PREJOIN_ENGINE_ITEM_REPLICA_WRITES_H_

#include <optional>
#include <string_view>

#include "engine/item/planned_write.h"
#include "engine/item/write_stamp.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// All inside the transaction of a write to a table with replicas. `stored_stamp` is the item's stamp before it.

// True if the write, which another region made, is later than what is here.
Result<bool> IsLatest(const ItemWrite& write, std::optional<std::string_view> stored_stamp);

// True if this region deletes the item when it expires: it wrote the item last, or the region that did is gone and this one
// is the first of those that are left.
Result<bool> ExpiresHere(const Replication& replication,
                         std::optional<std::string_view> stored_stamp);

// Stages the item's new stamp and, for a write of this region, a note for each replica. `had_item`, `has_item`: before the
// write and after it.
Status StageForReplicas(const ItemWrite& write, std::optional<std::string_view> stored_stamp,
                        bool had_item, bool has_item, StampClock& clock,
                        storage::Transaction& transaction);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_REPLICA_WRITES_H_
