// The strategies for a relationship, as data: names, when to use them, when not. advise, check,
// chart and the docs all read this one table.
#ifndef PREJOIN_MODEL_SCHEMA_STRATEGY_H_
#define PREJOIN_MODEL_SCHEMA_STRATEGY_H_

#include <span>
#include <string_view>

namespace prejoin::model {

enum class StrategyId {
  kItemCollection,
  kComplexAttribute,
  kDuplicateAttributes,
  kSecondaryIndex,
  kCompositeSortKey,
  kAdjacencyList,
  kInvertedIndex,
  kInvertedBaseKeys,
  kShallowDuplication,
  kReferences,
  kWriteSharding,
};

struct Strategy {
  StrategyId id;
  std::string_view name;     // As a model file writes it.
  std::string_view pattern;  // P1 … P11.
  std::string_view shape;
  std::string_view use_when;
  std::string_view avoid_when;
  bool for_one_to_many;
  bool for_many_to_many;
};

std::span<const Strategy> AllStrategies();
const Strategy* FindStrategy(std::string_view name);
const Strategy& GetStrategy(StrategyId id);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_STRATEGY_H_
