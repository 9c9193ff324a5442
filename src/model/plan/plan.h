// How an access pattern is served: requests, in rounds, and what each section takes from them.
// Plans are data; prove/run_plan.h executes them on any backend, explain.h puts them into words.
#ifndef PREJOIN_MODEL_PLAN_PLAN_H_
#define PREJOIN_MODEL_PLAN_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "model/plan/key_expression.h"
#include "model/schema/join.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The base table (index null) or one of its indexes. Pointers borrow from the model.
struct View {
  const Table* table = nullptr;
  const Index* index = nullptr;

  bool IsGlobalIndex() const { return index != nullptr && !index->local; }
  std::string Label() const {
    return index != nullptr ? table->name.text + "." + index->name.text : table->name.text;
  }
  std::vector<Name> PartitionKeys() const;
  std::vector<Name> SortKeys() const;
  friend bool operator==(const View&, const View&) = default;
};

// The table itself and each of its indexes.
std::vector<View> ViewsOf(const Table& table);

enum class RangeKind { kAll, kEqual, kBeginsWith, kBetween };

// The part of the sort key that a section needs: leading attributes of a multi-attribute key by equality,
// then one range.
struct SortRange {
  std::vector<KeyExpression> equal;
  RangeKind kind = RangeKind::kAll;
  KeyExpression low;   // kEqual and kBeginsWith use only this one.
  KeyExpression high;  // Empty parts: open.
};

// A Scan only where the pattern allows one.
enum class RequestKind { kGetItem, kQuery, kScan };

std::string_view OperationName(RequestKind kind);

struct Request {
  RequestKind kind = RequestKind::kQuery;
  View view;
  std::vector<KeyExpression> partition;
  // One for each section; the request reads from the least to the greatest.
  std::vector<SortRange> ranges;
  std::vector<std::size_t> sections;
  int shards = 1;  // Parallel requests, one for each value of the shard part.
  // `attribute in (…)`: one request for each value of this parameter list; empty otherwise.
  std::vector<Operand> in_operands;
  std::string in_attribute;
  bool descending = false;
  bool consistent = false;
  std::optional<int> limit;
};

enum class FollowUpKind { kFetchItem, kJoin, kVia };

// A BatchGetItem for the rows of a section, one round later.
struct FollowUp {
  FollowUpKind kind = FollowUpKind::kJoin;
  Reference<Entity> entity;  // The entity of the fetched items, or the second layout they have.
  std::vector<JoinColumn> columns;   // Attribute of the row → key attribute of `entity`.
  std::vector<std::string> reasons;  // The attributes it is needed for.
  bool other_layout = false;         // kFetchItem: not the item of the view, but another layout's.
};

struct SectionPlan {
  std::size_t request = 0;
  const StoredAttribute* embedded =
      nullptr;              // The rows are inside this attribute of the request's item.
  Reference<Entity> item_entity;  // The entity of the items that the request gives for this section.
  std::vector<FollowUp> follow_ups;
  bool client_sort = false;          // The keys do not give the order that is asked for.
  std::vector<std::string> filters;  // Conditions the keys do not serve: read, then discarded.
};

// Expected numbers for one execution, on the declared counts.
struct PlanEstimate {
  double requests = 0;
  double rounds = 0;
  double items_read = 0;
  double items_returned = 0;
  double bytes_read = 0;
  double read_units = 0;
  double hottest_units = 0;  // The units of a request for the most used key.
};

struct Plan {
  const Pattern* pattern = nullptr;
  bool served = false;
  std::string refusal;  // Why not, when it is not served.
  std::vector<Request> requests;
  std::vector<SectionPlan> sections;
  PlanEstimate estimate;
  bool strong = false;                   // The answer is strongly consistent.
  bool stale_copies = false;             // Holds copies that may lag behind.
  std::vector<std::string> thrown_away;  // Entities read with the wanted ones.
};

std::string DescribeRange(const View& view, const SortRange& range);
// GSI1PK = "CRS#{:course}" and begins_with(GSI1SK, "STU#")
std::string DescribeKeyCondition(const Request& request);
// One line: Query School.GSI1 where GSI1PK = "CRS#{:course}" …
std::string DescribeRequest(const Request& request);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PLAN_H_
