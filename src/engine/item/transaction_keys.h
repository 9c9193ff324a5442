// The keys that a set of writes reads and latches.
#ifndef PREJOIN_ENGINE_ITEM_TRANSACTION_KEYS_H_
#define PREJOIN_ENGINE_ITEM_TRANSACTION_KEYS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/item/planned_write.h"
#include "storage/store.h"

namespace prejoin::engine {

// The keys of a set of writes as the store wants them: the items', then the collections', the guard's, and the stamps'.
struct TransactionKeys {
  std::vector<std::string> keys;
  std::vector<std::optional<std::size_t>>
      collection_of;  // For each write, where in `keys` its collection's size is.
  std::optional<std::size_t> guard;
  // For each write, where the stamp of its item is; 0: the table has no replicas. Empty: no table has.
  std::vector<std::size_t> stamp_of;
};

// `guard` may be null.
TransactionKeys GatherKeys(std::span<const ItemWrite> writes, const TransactionGuard* guard);

// The newest commit that changed one of the keys, or something near it.
storage::Ticket NewestTicket(storage::Store& store, const TransactionKeys& keys);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_TRANSACTION_KEYS_H_
