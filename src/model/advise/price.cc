// What each strategy would cost for the same facts. Units per second, by the rules of the service
// on averages.
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/advise/advise.h"
#include "model/plan/planner.h"

namespace prejoin::model {
namespace {

constexpr double kSecondsPerMonth = 30 * 86400.0;
constexpr double kFewChildren = 20;

struct Sizes {
  double collection;  // Children of one parent, bytes.
  double child;
  double parent;
  double back;  // Edges of the other side, bytes.
};

double Query(double bytes) { return ReadUnits(bytes, false); }
double Gets(double count, double bytes) { return count * ReadUnits(bytes, false); }

// The other direction without an index for it: not possible by keys.
void NeedsOtherDirection(const RelationshipFacts& facts, StrategyPrice& price) {
  if (facts.reads_from_child <= 0) return;
  price.legal = false;
  price.reason = "the other direction would need a Scan";
}

void PriceEmbedded(const RelationshipFacts& facts, const Sizes& sizes, StrategyPrice& price) {
  const double item = sizes.parent + sizes.collection;
  price.read_units_per_second = (facts.reads_from_parent + facts.reads_with_parent) * Query(item);
  price.write_units_per_second = facts.writes * WriteUnits(item);
  if (facts.children_bound == 0) {
    price.legal = false;
    price.reason = "their number has no bound (R3)";
  } else if (facts.children_bound > kFewChildren) {
    price.legal = false;
    price.reason = "up to " + std::to_string(static_cast<int>(facts.children_bound)) +
                   " of them: more than a few (R3)";
  } else if (facts.reads_by_value > 0) {
    price.legal = false;
    price.reason = "a pattern looks them up by their own values (R3)";
  } else if (item > static_cast<double>(kItemBytesMax)) {
    price.legal = false;
    price.reason = "the item passes 400 KB";
  } else {
    NeedsOtherDirection(facts, price);
  }
}

void PriceCollection(const RelationshipFacts& facts, const Sizes& sizes, bool many_to_many,
                     StrategyPrice& price) {
  price.read_units_per_second = facts.reads_from_parent * Query(sizes.collection) +
                                facts.reads_with_parent * Query(sizes.parent);
  price.write_units_per_second = facts.writes * WriteUnits(sizes.child);
  if (many_to_many) NeedsOtherDirection(facts, price);
  if (!many_to_many && facts.reads_from_child > 0)
    price.reason = "children are found with their parent's key only";
}

void PriceHierarchy(const RelationshipFacts& facts, const Sizes& sizes, StrategyPrice& price) {
  constexpr double kLevelBytes = 20;
  price.read_units_per_second = facts.reads_from_parent * Query(sizes.collection);
  price.write_units_per_second = facts.writes * WriteUnits(sizes.child + kLevelBytes);
  if (facts.levels > 2) return;
  price.legal = false;
  price.reason = "two levels only (R6)";
}

void PriceIndex(const RelationshipFacts& facts, const Sizes& sizes, bool many_to_many,
                StrategyPrice& price) {
  price.read_units_per_second =
      facts.reads_from_parent * Query(sizes.collection) +
      facts.reads_from_child * Query(many_to_many ? sizes.back : sizes.child);
  price.write_units_per_second = facts.writes * 2 * WriteUnits(sizes.child);
  price.reason = "the index is eventually consistent and doubles the writes";
  if (facts.strong_needed && !many_to_many) price.legal = false;
}

void PriceLists(const RelationshipFacts& facts, const Sizes& sizes, StrategyPrice& price) {
  const double near = sizes.parent + sizes.collection;
  const double far = sizes.parent + sizes.back;
  price.read_units_per_second =
      facts.reads_from_parent * Query(near) + facts.reads_from_child * Query(far);
  price.write_units_per_second = facts.writes * (WriteUnits(near) + WriteUnits(far));
  price.legal = facts.children_bound > 0 && !facts.strong_needed;
  price.reason = price.legal ? "both lists must be kept right, and two writers race"
                             : "the lists have no bound, or a pattern needs fresh data";
}

void PriceCopies(const RelationshipFacts& facts, const Sizes& sizes, bool many_to_many,
                 StrategyPrice& price) {
  constexpr double kCopyBytes = 20;
  const double item = sizes.child + kCopyBytes;
  price.read_units_per_second = facts.reads_from_parent * Query(facts.children_each * item) +
                                facts.reads_with_parent * Query(item);
  price.write_units_per_second =
      (facts.writes + facts.parent_changes * facts.children_each) * WriteUnits(item);
  if (many_to_many) {
    price.reason = "holds no links by itself; it goes with an edge item";
  } else if (facts.parent_changes > 1.0 / 3600 && facts.children_each > kFewChildren) {
    price.reason = "the copied data changes often and has many copies (R4)";
  } else if (facts.strong_needed) {
    price.reason = "copies lag behind, and a pattern needs fresh data";
  }
  price.legal = price.reason.empty();
}

void PriceReferences(const RelationshipFacts& facts, const Sizes& sizes, StrategyPrice& price) {
  price.round_trips = 2;
  price.read_units_per_second =
      facts.reads_from_parent * (Query(sizes.parent) + Gets(facts.children_each, sizes.child)) +
      facts.reads_from_child * Query(sizes.child);
  price.write_units_per_second = facts.writes * WriteUnits(sizes.child);
  price.reason = "two round trips, one item at a time";
}

void PriceShards(const RelationshipFacts& facts, const Sizes& sizes, StrategyPrice& price) {
  constexpr double kShards = 8;
  price.read_units_per_second =
      facts.reads_from_parent * kShards * Query(sizes.collection / kShards);
  price.write_units_per_second = facts.writes * WriteUnits(sizes.child);
  price.reason = "only for keys past 1,000 writes or 3,000 reads per second (R10)";
  price.legal = facts.writes > 1000 || facts.reads_from_parent > 3000;
}

}  // namespace

StrategyPrice PriceOf(const Strategy& strategy, const RelationshipFacts& facts, bool many_to_many,
                      const Prices& prices) {
  StrategyPrice price;
  price.strategy = &strategy;
  const double back =
      facts.parents_each > 0 ? facts.parents_each * facts.child_bytes : facts.child_bytes;
  const Sizes sizes{facts.children_each * facts.child_bytes, facts.child_bytes, facts.parent_bytes,
                    back};
  switch (strategy.id) {
    case StrategyId::kItemCollection:
    case StrategyId::kAdjacencyList:
      PriceCollection(facts, sizes, many_to_many, price);
      break;
    case StrategyId::kCompositeSortKey:
      PriceHierarchy(facts, sizes, price);
      break;
    case StrategyId::kSecondaryIndex:
    case StrategyId::kInvertedIndex:
    case StrategyId::kInvertedBaseKeys:
      PriceIndex(facts, sizes, many_to_many, price);
      break;
    case StrategyId::kComplexAttribute:
      PriceEmbedded(facts, sizes, price);
      break;
    case StrategyId::kShallowDuplication:
      PriceLists(facts, sizes, price);
      break;
    case StrategyId::kDuplicateAttributes:
      PriceCopies(facts, sizes, many_to_many, price);
      break;
    case StrategyId::kReferences:
      PriceReferences(facts, sizes, price);
      break;
    case StrategyId::kWriteSharding:
      PriceShards(facts, sizes, price);
      break;
  }
  price.money_per_month = (price.read_units_per_second * prices.read_million +
                           price.write_units_per_second * prices.write_million) *
                          kSecondsPerMonth / 1e6;
  return price;
}

}  // namespace prejoin::model
