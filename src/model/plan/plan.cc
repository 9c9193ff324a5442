#include "model/plan/plan.h"

namespace prejoin::model {

std::vector<View> ViewsOf(const Table& table) {
  std::vector<View> views = {{&table, nullptr}};
  for (const Index& index : table.indexes) {
    views.push_back({&table, &index});
  }
  return views;
}

std::vector<Name> View::PartitionKeys() const {
  return index != nullptr ? index->partition : std::vector<Name>{table->partition};
}

std::vector<Name> View::SortKeys() const {
  if (index != nullptr) {
    return index->sort;
  }
  if (table->sort.text.empty()) {
    return {};
  }
  return {table->sort};
}

std::string DescribeRange(const View& view, const SortRange& range) {
  const std::vector<Name> keys = view.SortKeys();
  std::string out;
  for (std::size_t i = 0; i < range.equal.size() && i < keys.size(); ++i) {
    if (!out.empty()) {
      out += " and ";
    }
    out += keys[i].text + " = " + range.equal[i].ToString();
  }
  if (range.kind == RangeKind::kAll || range.equal.size() >= keys.size()) {
    return out;
  }
  const std::string& name = keys[range.equal.size()].text;
  if (!out.empty()) {
    out += " and ";
  }
  switch (range.kind) {
    case RangeKind::kAll:
      break;
    case RangeKind::kEqual:
      return out + name + " = " + range.low.ToString();
    case RangeKind::kBeginsWith:
      return out + "begins_with(" + name + ", " + range.low.ToString() + ")";
    case RangeKind::kBetween:
      if (range.low.empty()) {
        return out + name + " <= " + range.high.ToString();
      }
      if (range.high.empty()) {
        return out + name + " >= " + range.low.ToString();
      }
      return out + name + " between " + range.low.ToString() + " and " + range.high.ToString();
  }
  return out;
}

namespace {

// The range from the least to the greatest, where that can be said without the arguments.
SortRange Hull(const std::vector<SortRange>& ranges) {
  if (ranges.size() == 1) {
    return ranges[0];
  }
  SortRange hull;
  hull.kind = RangeKind::kBetween;
  bool first = true;
  for (const SortRange& range : ranges) {
    if (range.kind == RangeKind::kAll) {
      return SortRange{};
    }
    KeyExpression high = range.kind == RangeKind::kBetween ? range.high : range.low;
    if (range.kind == RangeKind::kBeginsWith) {
      high.AddLiteral(kHighText);
    }
    if (first || CompareExpressions(range.low, hull.low).value_or(1) < 0) {
      hull.low = range.low;
    }
    if (first || CompareExpressions(high, hull.high).value_or(-1) > 0) {
      hull.high = high;
    }
    first = false;
  }
  return hull;
}

}  // namespace

std::string DescribeKeyCondition(const Request& request) {
  std::string out;
  const std::vector<Name> keys = request.view.PartitionKeys();
  for (std::size_t i = 0; i < keys.size() && i < request.partition.size(); ++i) {
    if (i > 0) {
      out += " and ";
    }
    out += keys[i].text + " = " + request.partition[i].ToString();
  }
  if (!request.ranges.empty()) {
    const std::string range = DescribeRange(request.view, Hull(request.ranges));
    if (!range.empty()) {
      out += " and " + range;
    }
  }
  return out;
}

std::string_view OperationName(RequestKind kind) {
  switch (kind) {
    case RequestKind::kGetItem:
      return "GetItem";
    case RequestKind::kQuery:
      return "Query";
    case RequestKind::kScan:
      return "Scan";
  }
  return "Query";
}

std::string DescribeRequest(const Request& request) {
  std::string out = std::string(OperationName(request.kind)) + " ";
  if (request.kind == RequestKind::kScan) {
    return out + request.view.Label() + (request.consistent ? ", ConsistentRead" : "");
  }
  if (request.shards > 1) {
    out = std::to_string(request.shards) + " parallel " + out;
  }
  if (!request.in_operands.empty()) {
    out = "for each " + request.in_attribute + ": " + out;
  }
  out += request.view.Label() + " where " + DescribeKeyCondition(request);
  if (request.descending) {
    out += ", newest or greatest first (ScanIndexForward=false)";
  }
  if (request.limit) {
    out += ", Limit " + std::to_string(*request.limit);
  }
  if (request.consistent) {
    out += ", ConsistentRead";
  }
  return out;
}

}  // namespace prejoin::model
