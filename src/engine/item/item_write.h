// Writing items: the common part of PutItem, UpdateItem, DeleteItem, BatchWriteItem,
// TransactWriteItems and PartiQL.
//
// A write is planned against the table's schema (everything that can be refused without looking at
// the stored item), then a set of writes runs as one store transaction: item, index entries,
// collection sizes and idempotency token go down together or not at all.
#ifndef PREJOIN_ENGINE_ITEM_ITEM_WRITE_H_
#define PREJOIN_ENGINE_ITEM_ITEM_WRITE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/index/index_writes.h"
#include "engine/item/capacity.h"
#include "engine/item/planned_write.h"
#include "engine/table/table.h"
#include "engine/vector/vector_writes.h"
#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// The outcome of one write.
struct ItemEffect {
  std::optional<StoredItem> old_item;
  std::optional<StoredItem> new_item;
  Item updated_old;  // kUpdate only, as is the next.
  Item updated_new;
  std::size_t charged_bytes = 0;  // The size that the table's units are for.
  double table_units = 0;
  std::int64_t count_delta = 0;
  std::int64_t size_delta = 0;
  std::int64_t collection_bytes = 0;  // After the write; tables with local indexes only.
  std::vector<IndexEffect> indexes;
  std::vector<VectorEffect> vectors;
};

// How a set of writes is reported when some of them fail.
enum class FailureReport {
  kFirst,    // The first error as it is.
  kReasons,  // One TransactionCanceled error with a reason for each write.
};

// Writes that run as one transaction. Borrows.
struct WriteSet {
  std::span<const ItemWrite> writes;
  FailureReport report = FailureReport::kFirst;
  TransactionGuard* guard = nullptr;
  // They take no capacity: the engine writes for itself.
  bool unmetered = false;
  // Gets the errors of the writes that were throttled, all of them and not only the first: of a batch,
  // which leaves them out and continues. Empty: none was.
  std::map<std::size_t, Error>* throttled = nullptr;
};

struct WriteOutcome {
  std::vector<ItemEffect> effects;  // One for each write.
  // The guard knows the transaction: it was done before, and nothing was done now. The effects are
  // empty ones.
  bool done_before = false;
  // With a guard, what each write was charged for when the transaction was done. Tokens of earlier
  // programs do not have it.
  std::vector<std::size_t> charged_bytes;
};

// The one way to change items. The context has seen everything the answer depends on, also when the
// answer is an error.
Result<WriteOutcome> RunWrites(Engine& engine, RequestContext& context, const WriteSet& set);
// The same for a single write.
Result<ItemEffect> RunWrite(Engine& engine, RequestContext& context, const ItemWrite& write);

// A transaction that was done before costs the reading of its items, in read units, as large as they
// were when it was done.
void MeterReplay(std::span<const ItemWrite> writes, const WriteOutcome& outcome,
                 TableMeters& meters);

// An answer without attributes is one without `Attributes`, not one with an empty map.
std::optional<StoredItem> IfAny(const Item& item);

// Adds what the effect cost. `factor` is 2 in a transaction and counts for the table's own units only:
// an index entry costs there what it costs elsewhere (captured on AWS, August 2026).
void AddUnits(const ItemEffect& effect, double factor, CapacityMeter& meter);

// Nullopt unless the table has local indexes.
std::optional<ItemCollectionMetrics> CollectionMetrics(const ItemWrite& write,
                                                       const ItemEffect& effect);

// Capacity and collection metrics of several writes, as `input` asks for them; `factor` as above.
template <class Input, class Output>
void FinishWrites(std::span<const ItemWrite> writes, const WriteOutcome& outcome, double factor,
                  const Input& input, Output& output) {
  TableMeters meters(CapacityMeter::Kind::kWrite);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    AddUnits(outcome.effects[i], factor, meters.Of(writes[i].table));
    if (!input.return_item_collection_metrics) {
      continue;
    }
    if (auto metrics = CollectionMetrics(writes[i], outcome.effects[i])) {
      output.item_collection_metrics[writes[i].table->name()].push_back(*std::move(metrics));
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
}

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
