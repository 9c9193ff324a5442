#include <algorithm>
#include <map>
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

// A write and the request that asked for it.
struct BatchMember {
  const std::string* table_name = nullptr;
  const WriteRequest* request = nullptr;
};

// Runs the writes that are not throttled and do not conflict with a transaction. The others come back unprocessed;
// if all of them are throttled, so is the batch.
Result<WriteOutcome> RunMembers(Engine& engine, RequestContext& context,
                                std::vector<BatchMember> members, std::vector<ItemWrite>& writes,
                                BatchWriteItemOutput& output) {
  while (true) {
    std::map<std::size_t, Error> throttled;
    auto outcome = RunWrites(engine, context, {.writes = writes, .throttled = &throttled});
    const bool conflicts =
        std::ranges::any_of(throttled, [](const auto& left_out) {
          return left_out.second.code == ErrorCode::kTransactionConflict;
        });
    if (outcome || throttled.empty() || (throttled.size() == writes.size() && !conflicts)) {
      return outcome;
    }
    // Each round leaves out at least one, so that there are at most 25.
    for (auto which = throttled.rbegin(); which != throttled.rend(); ++which) {
      const auto at = static_cast<std::ptrdiff_t>(which->first);
      const BatchMember member = members[which->first];
      auto& left = output.unprocessed_items[*member.table_name];
      left.insert(left.begin(), *member.request);
      members.erase(members.begin() + at);
      writes.erase(writes.begin() + at);
    }
    if (writes.empty()) {
      return WriteOutcome();
    }
  }
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
  std::vector<BatchMember> members;
  for (const auto& [table_name, requests] : input.request_items) {
    PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().Find(table_name));
    for (const WriteRequest& request : requests) {
      ItemWrite& write = writes[members.size()];
      members.push_back({&table_name, &request});
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

  BatchWriteItemOutput output;
  PJ_ASSIGN_OR_RETURN(const WriteOutcome outcome,
                      RunMembers(engine, context, std::move(members), writes, output));
  FinishWrites(writes, outcome, 1, input, output);
  return output;
}

}  // namespace prejoin::engine
