#include <set>
#include <utility>

#include "engine/item/item_write.h"
#include "engine/item/keys.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

namespace {

// A key that does not fit is called so whether it is to be put or deleted.
Status PlanBatchPut(const TablePtr& table, const Item& item, ItemWrite& write) {
  for (const auto& key : table->keys) {
    const AttributeValue* value = item.Find(key.name);
    if (value == nullptr || !HasType(*value, key.type)) {
      return ValidationError("The provided key element does not match the schema");
    }
  }
  return PlanPut(table, item, write);
}

}  // namespace

// The writes are independent of each other for the caller; here they share one transaction because
// one log record is cheaper.
Result<BatchWriteItemOutput> BatchWriteItem(Engine& engine, RequestContext& context,
                                            const BatchWriteItemInput& input) {
  std::size_t count = 0;
  for (const auto& [table_name, requests] : input.request_items) {
    count += requests.size();
  }
  std::vector<ItemWrite> writes;
  writes.reserve(count);
  for (const auto& [table_name, requests] : input.request_items) {
    for (const WriteRequest& request : requests) {
      ItemWrite& write = writes.emplace_back();
      if (request.put) {
        PJ_RETURN_IF_ERROR(CheckItemSize(*request.put, write));
      }
    }
  }
  std::size_t which = 0;
  for (const auto& [table_name, requests] : input.request_items) {
    PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().Find(table_name));
    for (const WriteRequest& request : requests) {
      ItemWrite& write = writes[which++];
      PJ_RETURN_IF_ERROR(request.put ? PlanBatchPut(table, *request.put, write)
                                     : PlanDelete(table, *request.remove, write));
    }
  }
  std::set<std::string_view> seen;
  for (const ItemWrite& write : writes) {
    if (!seen.insert(write.stored_key).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }

  PJ_ASSIGN_OR_RETURN(const WriteOutcome outcome, RunWrites(engine, context, {.writes = writes}));
  BatchWriteItemOutput output;
  FinishWrites(writes, outcome, 1, input, output);
  return output;
}

}  // namespace prejoin::engine
