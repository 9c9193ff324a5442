// Writing items: what PutItem, UpdateItem, DeleteItem, BatchWriteItem and TransactWriteItems have
// in common.
//
// A write is planned against the table's schema (everything that can be refused without looking at
// the stored item), then a set of writes runs as one store transaction: item, index entries,
// collection sizes and idempotency token go down together or not at all.
#ifndef PREJOIN_ENGINE_ITEM_ITEM_WRITE_H_
#define PREJOIN_ENGINE_ITEM_ITEM_WRITE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/index/index_writes.h"
#include "engine/item/capacity.h"
#include "engine/item/planned_write.h"
#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// What a write did.
struct ItemEffect {
  std::optional<StoredItem> old_item;
  std::optional<StoredItem> new_item;
  Item updated_old;  // kUpdate only, as is the next.
  Item updated_new;
  double table_units = 0;
  std::int64_t count_delta = 0;
  std::int64_t size_delta = 0;
  std::int64_t collection_bytes = 0;  // After the write; tables with local indexes only.
  std::vector<IndexEffect> indexes;
};

// The size of an item to be put, which DynamoDB checks before it looks for the table. PlanPut does
// it if nobody did.
Status CheckItemSize(const Item& item, ItemWrite& write);

// The part of a plan that asks the schema. `write` has its expressions already.
Status PlanPut(TablePtr table, const Item& item, ItemWrite& write);
Status PlanUpdate(TablePtr table, const Item& key, ItemWrite& write);
Status PlanDelete(TablePtr table, const Item& key, ItemWrite& write);
Status PlanCheck(TablePtr table, const Item& key, ItemWrite& write);

// What happens when several writes fail.
enum class FailureReport {
  kFirst,    // The first error as it is.
  kReasons,  // One TransactionCanceled error with a reason for each write.
};

// Runs all writes as one transaction. `effects` gets one entry for each. The context has seen
// everything the answer depends on, also when the answer is an error.
Status RunWrites(Engine& engine, RequestContext& context, std::span<const ItemWrite> writes,
                 FailureReport report, TransactionGuard* guard, std::vector<ItemEffect>& effects);

// An answer without attributes is one without `Attributes`, not one with an empty map.
std::optional<StoredItem> IfAny(const Item& item);

// Adds what the effect cost; `factor` is 2 for the table's own units in a transaction.
void AddUnits(const ItemEffect& effect, double factor, CapacityMeter& meter);

// Nullopt unless the table has local indexes.
std::optional<ItemCollectionMetrics> CollectionMetrics(const ItemWrite& write,
                                                       const ItemEffect& effect);

// Capacity and collection metrics of a single write, as `input` asks for them.
template <class Input>
void FinishWrite(const ItemWrite& write, const ItemEffect& effect, const Input& input,
                 WriteItemOutput& output) {
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    CapacityMeter meter(*write.table, CapacityMeter::Kind::kWrite);
    AddUnits(effect, 1, meter);
    output.consumed_capacity = meter.Report(input.return_consumed_capacity);
  }
  if (input.return_item_collection_metrics) {
    output.item_collection_metrics = CollectionMetrics(write, effect);
  }
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_ITEM_WRITE_H_
