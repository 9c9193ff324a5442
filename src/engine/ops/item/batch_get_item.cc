#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/item_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/physics/physics.h"
#include "engine/table/catalog.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

// The items of one table to read.
struct TableReads {
  const KeysAndAttributes* request = nullptr;
  std::optional<expr::Projection> projection;
  std::vector<ItemRead> items;
};

Result<std::optional<expr::Projection>> ParseProjectionOf(const KeysAndAttributes& request) {
  const std::initializer_list<Parameter> expressions = {
      {"ProjectionExpression", request.projection_expression.has_value(), false}};
  PJ_RETURN_IF_ERROR(
      CheckNotMixed(expressions, {{"AttributesToGet", request.attributes_to_get.has_value()}}));
  expr::Placeholders placeholders(PointerTo(request.expression_attribute_names), nullptr);
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  PJ_ASSIGN_OR_RETURN(
      auto projection,
      ParseReadProjection(request.projection_expression, request.attributes_to_get, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return projection;
}

// No key twice, and no more keys in all than one call may have. Needs no table.
Status CheckDifferent(const KeysAndAttributes& request, std::size_t& key_count) {
  std::set<std::string> seen;
  for (const Item& key : request.keys) {
    if (!seen.insert(EncodeItem(key)).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
    if (++key_count > kBatchGetKeysMax) {
      return ValidationError("Too many items requested for the BatchGetItem call");
    }
  }
  return {};
}

Status PlanItems(const RequestContext& context, const TablePtr& table, TableReads& reads) {
  const Consistency consistency = ConsistencyOf(reads.request->consistent_read);
  reads.items.reserve(reads.request->keys.size());
  for (const Item& key : reads.request->keys) {
    PJ_ASSIGN_OR_RETURN(ItemRead read,
                        PlanRead(context, table, key, consistency, reads.projection));
    reads.items.push_back(std::move(read));
  }
  return CheckKeyPaths(*table, reads.projection);
}

// The size of the answer so far: in all, and of each partition of one table. Partitions are checked only when
// one of them may be near its share.
class AnswerSize {
 public:
  void NextTable() {
    taken_.clear();
    of_table_ = 0;
  }
  // Returns the largest size that an item with that key may have; 0 if it has no place any more. The first item of
  // a partition has a place whatever its size.
  std::size_t Room(const Table& table, const Item& key) {
    const std::size_t in_all = kBatchGetBytesMax - total_;
    key_ = &key;
    if (table.keys.size() == 1 || of_table_ + kItemBytesMax <= kPageBytesMax) {
      return in_all;
    }
    const std::size_t of_partition = OfPartition(table.keys[0].name);
    return of_partition == 0
               ? in_all
               : std::min(in_all, kPageBytesMax - std::min(of_partition, kPageBytesMax));
  }
  // After Room, for the same key.
  void Take(std::size_t bytes) {
    taken_.emplace_back(key_, bytes);
    of_table_ += bytes;
    total_ += bytes;
  }
  void ClosePartition() { taken_.emplace_back(key_, kPageBytesMax); }
  void Close() { total_ = kBatchGetBytesMax; }

 private:
  std::size_t OfPartition(const std::string& name) const {
    const AttributeValue& partition = *key_->Find(name);
    std::size_t bytes = 0;
    for (const auto& [key, taken] : taken_) {
      bytes += *key->Find(name) == partition ? taken : 0;
    }
    return bytes;
  }

  std::size_t total_ = 0;
  std::size_t of_table_ = 0;
  std::vector<std::pair<const Item*, std::size_t>> taken_;  // Keys of the request.
  const Item* key_ = nullptr;
};

// Puts off one key.
void LeaveUnprocessed(const std::string& table_name, const TableReads& reads, std::size_t which,
                      BatchGetItemOutput& output) {
  const auto [entry, is_new] = output.unprocessed_keys.try_emplace(table_name);
  if (is_new) {
    entry->second = *reads.request;
    entry->second.keys.clear();
  }
  entry->second.keys.push_back(reads.request->keys[which]);
}

// The planned batch, and the outcome of each part.
struct BatchProgress {
  BatchGetItemOutput output;
  AnswerSize answer_size;
  std::size_t done = 0;
  std::optional<Error> throttled;  // The first throttled key's.
};

// Reads one key, or leaves it for another request.
Status ReadOne(Engine& engine, RequestContext& context, const TableReads& reads, std::size_t which,
               CapacityMeter& meter, BatchProgress& progress) {
  const ItemRead& read = reads.items[which];
  FoundItem found{.stored = std::nullopt, .left_out = true};
  const std::size_t room = progress.answer_size.Room(*read.table, reads.request->keys[which]);
  if (room > 0) {
    auto item = ReadItem(engine, context, read, meter, room);
    if (!item && IsThrottling(item.error())) {
      LeaveUnprocessed(read.table->name(), reads, which, progress.output);
      progress.throttled = progress.throttled.value_or(item.error());
      return {};
    }
    PJ_RETURN_IF_ERROR(item);
    found = *std::move(item);
  }
  if (found.left_out) {
    LeaveUnprocessed(read.table->name(), reads, which, progress.output);
    progress.answer_size.ClosePartition();
    return {};
  }
  ++progress.done;
  if (found.stored) {
    std::vector<StoredItem>& items = progress.output.responses[read.table->name()];
    const std::size_t size_bytes = found.size_bytes();
    items.push_back(Shown(reads.projection, std::move(found)));
    progress.answer_size.Take(size_bytes);
    if (!ChargeShown(size_bytes, items.back(), context.budget)) {
      if (context.budget.is_trial()) {
        return OverBudget();
      }
      progress.answer_size.Close();  // The next keys are put off.
    }
  }
  return {};
}

}  // namespace

Result<BatchGetItemOutput> BatchGetItem(Engine& engine, RequestContext& context,
                                        const BatchGetItemInput& input) {
  std::vector<TableReads> all;
  std::size_t key_count = 0;
  for (const auto& [table_name, request] : input.request_items) {
    TableReads reads;
    reads.request = &request;
    PJ_ASSIGN_OR_RETURN(reads.projection, ParseProjectionOf(request));
    PJ_RETURN_IF_ERROR(CheckDifferent(request, key_count));
    all.push_back(std::move(reads));
  }
  std::vector<TablePtr> tables;
  for (const auto& [table_name, request] : input.request_items) {
    PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().FindToRead(table_name));
    PJ_RETURN_IF_ERROR(PlanItems(context, table, all[tables.size()]));
    tables.push_back(table);
  }

  const auto any = [&](auto member) {
    return std::ranges::any_of(
        input.request_items, [&](const auto& entry) { return (entry.second.*member).has_value(); });
  };
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      {{"ProjectionExpression", any(&KeysAndAttributes::projection_expression), false}},
      {{"AttributesToGet", any(&KeysAndAttributes::attributes_to_get)}}));

  BatchProgress progress;
  TableMeters meters(CapacityMeter::Kind::kRead);
  for (std::size_t which = 0; which < all.size(); ++which) {
    CapacityMeter& meter = meters.Of(tables[which]);
    progress.output.responses[tables[which]->name()];
    progress.answer_size.NextTable();
    for (std::size_t i = 0; i < all[which].items.size(); ++i) {
      PJ_RETURN_IF_ERROR(ReadOne(engine, context, all[which], i, meter, progress));
    }
  }
  if (progress.throttled && progress.done == 0) {
    return *progress.throttled;
  }
  progress.output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return std::move(progress.output);
}

}  // namespace prejoin::engine
