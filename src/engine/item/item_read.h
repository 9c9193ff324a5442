// Reading items by their primary keys: the one way to an item for GetItem, BatchGetItem,
// TransactGetItems, PartiQL, and a query that follows index entries to their items. A need that
// every read of an item has (who may read it, what it costs, who wants to know) is met here, once.
#ifndef PREJOIN_ENGINE_ITEM_ITEM_READ_H_
#define PREJOIN_ENGINE_ITEM_ITEM_READ_H_

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/item/capacity.h"
#include "engine/item/item_access.h"
#include "engine/item/record.h"
#include "engine/physics/physics.h"
#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// An item to read.
struct ItemRead {
  TablePtr table;
  std::string stored_key;
  std::unique_ptr<const Item> counted_key;  // Null unless accesses to the table are counted.
  Consistency consistency = Consistency::kEventual;
  std::optional<ReadTerms> terms = {};  // Set while access is controlled.
  bool covered =
      false;  // Allowed by a check of access that was made for something larger: a page, a write.
  bool unmetered = false;  // It takes no capacity: the engine reads for itself.
};

// An item as it was found. Owns its bytes.
struct FoundItem {
  std::optional<std::string> stored;  // Nullopt: there is no such item.
  bool left_out = false;              // It is larger than the reader wants; nothing was charged.

  // Needs `stored`, which was decoded when it was found. Borrows from it.
  Record record() const { return KnownRecord(*stored); }
  std::size_t size_bytes() const { return stored ? record().size_bytes : 0; }
};

// The capacity that the read takes from its table. Borrows.
ReadCost CostOf(const ItemRead& read, const FoundItem& found);

// DynamoDB's errors for a key that does not fit the table. `projection`: what the request will show of the item.
Result<ItemRead> PlanRead(const RequestContext& context, TablePtr table, const Item& key,
                          Consistency consistency,
                          const std::optional<expr::Projection>& projection);

// Reads an item and charges the meter for it; leaves it out if it is larger than `bytes_max`. The
// context has seen every commit that the item may show.
Result<FoundItem> ReadItem(Engine& engine, RequestContext& context, const ItemRead& read,
                           CapacityMeter& meter,
                           std::size_t bytes_max = std::numeric_limits<std::size_t>::max());

// Reads the item that an index entry belongs to, as ReadItem does, and the entry with it, both as
// they are at one moment. Nullopt, at no cost, if the entry is gone.
Result<std::optional<FoundItem>> ReadItemOfEntry(Engine& engine, RequestContext& context,
                                                 const std::string& entry_key, const ItemRead& read,
                                                 CapacityMeter& meter);

// Reads all items as they are at one moment. An error if together they are larger than a
// transaction may be.
Result<std::vector<FoundItem>> ReadItemsTogether(Engine& engine, RequestContext& context,
                                                 std::span<const ItemRead> reads,
                                                 TableMeters& meters);

// The attributes that a request asks for; all of them without a projection.
StoredItem Shown(const std::optional<expr::Projection>& projection, ItemView item);
// The same of an item that was found, whose memory it takes if it can.
StoredItem Shown(const std::optional<expr::Projection>& projection, FoundItem found);

// Charges for an item of which `read_bytes` were read, and that is kept until the answer is written. False: the budget is used up.
[[nodiscard]] bool ChargeShown(std::size_t read_bytes, const StoredItem& shown,
                               RequestBudget& budget);

// Refuses paths into key attributes.
Status CheckKeyPaths(const Table& table, const std::optional<expr::Projection>& projection);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_ITEM_READ_H_
