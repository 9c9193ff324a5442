#include "model/schema/strategy.h"

#include <array>

#include "base/check.h"

namespace prejoin::model {
namespace {

constexpr std::array kStrategies = std::to_array<Strategy>({
    {StrategyId::kItemCollection, "item-collection", "P1",
     "parent and children share the partition key",
     "Use it for the usual one-to-many relationship: one Query reads the parent and any number of "
     "children.",
     "Avoid it when children are looked up without their parent, or when deeper levels crowd the "
     "collection.",
     true, false},
    {StrategyId::kComplexAttribute, "complex-attribute", "P2",
     "children in a list or map on the parent",
     "Use it for few children (at most about 20) that are always read with the parent and never "
     "looked up by their own values.",
     "Avoid it when the nested values are queried or their number is unbounded.", true, false},
    {StrategyId::kDuplicateAttributes, "duplicate-attributes", "P3",
     "parent's attributes copied onto each child",
     "Use it when the copied data rarely changes or has few copies, and is read far more often "
     "than written.",
     "Avoid it when the data changes often and has many copies, or must be strongly consistent.",
     true, true},
    {StrategyId::kSecondaryIndex, "secondary-index", "P4",
     "an index partition groups parent and children",
     "Use it when the primary key serves another purpose: direct lookup, uniqueness, one more "
     "level.",
     "Avoid it when all access starts from the parent, or when reads must be strongly consistent.",
     true, false},
    {StrategyId::kCompositeSortKey, "composite-sort-key", "P5",
     "levels joined in one sort key: STATE#CITY#ZIP",
     "Use it for more than two levels that are queried at every level, with the whole subtree.",
     "Avoid it when one level is read without its subtree.", true, false},
    {StrategyId::kAdjacencyList, "adjacency-list", "P6",
     "one edge item: partition key is one end, sort key the other",
     "Use it for many-to-many relationships, especially when the relationship itself has data.",
     "Avoid it for few, simple connections that are read from one side only: a list of ids is "
     "enough.",
     false, true},
    {StrategyId::kInvertedIndex, "inverted-index", "P7",
     "an index holds the edge with its ends swapped",
     "Use it to read an adjacency list in the second direction.",
     "Avoid it when that direction must be strongly consistent.", false, true},
    {StrategyId::kInvertedBaseKeys, "inverted-base-keys", "P8",
     "an index whose partition key is SK and sort key is PK",
     "Use it when every item should be inverted and no extra key attributes are wanted.",
     "Avoid it when some entities should not be in the index.", false, true},
    {StrategyId::kShallowDuplication, "shallow-duplication", "P9",
     "each side holds a short list of the other",
     "Use it for stable, bounded data that is read often, when no index is wanted.",
     "Avoid it when the data changes often or the list can exceed 400 KB.", false, true},
    {StrategyId::kReferences, "references", "P10", "ids on one side, then BatchGetItem",
     "Use it for strongly consistent or rare reads, such as background jobs and admin pages.",
     "Avoid it when latency matters.", true, true},
    {StrategyId::kWriteSharding, "write-sharding", "P11",
     "a suffix spreads one hot key over several partitions",
     "Use it when one key receives more than 1,000 WCU or 3,000 RCU per second.",
     "Avoid it at ordinary traffic.", true, true},
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
