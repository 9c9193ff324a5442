#include "model/schema/strategy.h"

#include <array>

#include "base/check.h"

namespace prejoin::model {
namespace {

constexpr std::array kStrategies = std::to_array<Strategy>({
    {StrategyId::kItemCollection, "item-collection", "P1",
     "parent and children share the partition key",
     "the usual one-to-many: parent and children in one Query, any number of children",
     "children are looked up without their parent, or deeper levels swamp the collection", true,
     false},
    {StrategyId::kComplexAttribute, "complex-attribute", "P2",
     "children in a list or map on the parent",
     "few children (at most about 20), always read with the parent, never looked up by their own "
     "values",
     "the nested values are queried, or their number has no bound", true, false},
    {StrategyId::kDuplicateAttributes, "duplicate-attributes", "P3",
     "parent's attributes copied onto each child",
     "the copied data never or seldom changes, or has few copies, and is read far more than "
     "written",
     "the data changes often and has many copies, or must be strongly consistent", true, true},
    {StrategyId::kSecondaryIndex, "secondary-index", "P4",
     "an index partition groups parent and children",
     "the primary key is needed for something else: direct lookup, uniqueness, one more level",
     "only parent-first access, or strongly consistent reads", true, false},
    {StrategyId::kCompositeSortKey, "composite-sort-key", "P5",
     "levels joined in one sort key: STATE#CITY#ZIP",
     "more than two levels, queried at every level, and the whole subtree is wanted",
     "one level is wanted without its subtree", true, false},
    {StrategyId::kAdjacencyList, "adjacency-list", "P6",
     "one edge item: partition key is one end, sort key the other",
     "the classic many-to-many; data on the relationship itself",
     "simple connections without data, few and read from one side only: a list of ids is enough",
     false, true},
    {StrategyId::kInvertedIndex, "inverted-index", "P7",
     "an index holds the edge with its ends swapped", "the second direction of an adjacency list",
     "that direction must be strongly consistent", false, true},
    {StrategyId::kInvertedBaseKeys, "inverted-base-keys", "P8",
     "an index whose partition key is SK and sort key is PK",
     "every item should be inverted; no extra attributes to keep",
     "some entities should not be in the index", false, true},
    {StrategyId::kShallowDuplication, "shallow-duplication", "P9",
     "each side holds a short list of the other",
     "read-heavy, stable, bounded, and no index is wanted",
     "the data changes often, or the list can pass 400 KB", false, true},
    {StrategyId::kReferences, "references", "P10", "ids on one side, then BatchGetItem",
     "strong consistency, rare reads, background jobs, admin pages", "latency matters", true, true},
    {StrategyId::kWriteSharding, "write-sharding", "P11",
     "a suffix spreads one hot key over several partitions",
     "one key takes more than 1,000 writes or 3,000 reads per second", "ordinary sizes", true,
     true},
});

}  // namespace

std::span<const Strategy> AllStrategies() { return kStrategies; }

const Strategy* FindStrategy(std::string_view name) {
  for (const Strategy& strategy : kStrategies) {
    if (strategy.name == name || strategy.pattern == name) {
      return &strategy;
    }
  }
  return nullptr;
}

const Strategy& GetStrategy(StrategyId id) {
  for (const Strategy& strategy : kStrategies) {
    if (strategy.id == id) {
      return strategy;
    }
  }
  PJ_CHECK(false);
}

}  // namespace prejoin::model
