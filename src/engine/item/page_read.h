// Reading a page of items in key order: what Query and Scan have in common.
#ifndef PREJOIN_ENGINE_ITEM_PAGE_READ_H_
#define PREJOIN_ENGINE_ITEM_PAGE_READ_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "engine/engine.h"
#include "engine/item/capacity.h"
#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

struct PageRead {
  TablePtr table;
  const Index* index = nullptr;  // An index of `table`; null: the table itself.
  storage::Range range;
  std::optional<std::int32_t> limit;
  std::optional<expr::Condition> filter;
  std::optional<expr::Projection> projection;
  bool count_only = false;
  // A local index that lacks attributes the caller wants: each entry is followed to its item, at
  // the item's cost.
  bool fetch_items = false;
  Consistency consistency = Consistency::kEventual;
  std::size_t bytes_max = kPageBytesMax;
  // For access control (item_access.h): whether the page is bound to partitions, and to which.
  bool is_query = false;
  std::vector<std::string> leading_keys = {};
  std::vector<std::string> further_keys = {};  // For a partition key of several attributes.
};

// Reads until the range ends, `limit` items or `bytes_max` are read, or the request's budget is
// used up: the page ends there, as any page may. The context has seen every commit the page may
// show.
struct PageCost {
  CapacityMeter meter;
  std::size_t read_bytes = 0;  // Bytes of entries and items, including those that the filter discarded.
};
Result<PageOutput> ReadPage(Engine& engine, RequestContext& context, const PageRead& read,
                            PageCost& cost);
// The same for a request that is one page.
Result<PageOutput> ReadPage(Engine& engine, RequestContext& context, const PageRead& read,
                            ReturnConsumedCapacity return_consumed_capacity);

// The request's index, with DynamoDB's errors; null when none is named. `operation` is "Query" or
// "Scan". Also refuses strong reads of a global index.
Result<const Index*> FindIndexToRead(const Table& table,
                                     const std::optional<std::string>& index_name,
                                     std::optional<bool> consistent_read,
                                     std::string_view operation);

// Nothing comes after the only item that the key of a table without sort key can find: such a query
// gives no LastEvaluatedKey, whatever its Limit, and takes no ExclusiveStartKey.
bool FindsOneItem(const PageRead& read);

// The rules between Select, ProjectionExpression and AttributesToGet, which need no table.
struct SelectParameters {
  std::optional<Select> select;
  bool has_projection_expression = false;
  bool has_attributes_to_get = false;
  bool has_index = false;
};
Status CheckSelect(const SelectParameters& parameters);

// Refuses filters of a read that is keyed by an index if they look at attributes that the index does not have. A Scan of the index takes
// such attributes for missing.
Status CheckFilterProjected(const Index& index, std::span<const expr::Condition* const> conditions);

// Sets count_only and fetch_items; refuses attributes that a global index does not have.
Status ResolveSelect(std::optional<Select> select, PageRead& read);

// The stored key of an ExclusiveStartKey. `wrong_names` is the text for too few, too many or other
// attributes, which Query and Scan word differently; an index has the same for both.
Result<std::string> StartKey(const Table& table, const Index* index, const Item& start_key,
                             std::string_view wrong_names = "The provided starting key is invalid");

// Refuses paths into key attributes, in the projection and in the filter.
Status CheckKeyPaths(const PageRead& read);

// Narrows the range so that it starts after `start_key`.
void ResumeAfter(const std::string& start_key, storage::Range& range);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_PAGE_READ_H_
