// Patterns with optional conditions: the fewest keys that serve every combination exactly, and the
// combinations that no key serves.
#ifndef PREJOIN_MODEL_PLAN_COMBINATIONS_H_
#define PREJOIN_MODEL_PLAN_COMBINATIONS_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// One partition and sort key, and the combinations it serves: each adds attributes to the one
// before.
struct KeyChain {
  std::string partition;  // Templates.
  std::string sort;
  std::vector<std::string> serves;  // Names of variants.
};

struct CombinationAdvice {
  std::string pattern;
  Reference<Entity> entity;
  std::size_t combinations = 0;
  std::vector<std::string> unserved;   // By the keys that the model has.
  std::vector<KeyChain> keys;          // The fewest; one of them may be the table's own.
  std::vector<std::string> elsewhere;  // With the reason.
};

std::vector<CombinationAdvice> AdviseCombinations(const Model& model);
std::string RenderCombinations(const std::vector<CombinationAdvice>& advice);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_COMBINATIONS_H_
