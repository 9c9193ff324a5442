// A relationship under each strategy: the same entities, patterns and writes with other keys. The
// designs are ordinary models, so the planner prices them, and a test can prove them.
#ifndef PREJOIN_MODEL_ADVISE_ALTERNATIVES_H_
#define PREJOIN_MODEL_ADVISE_ALTERNATIVES_H_

#include <optional>
#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/schema/strategy.h"

namespace prejoin::model {

// The part of a model that a relationship is about: patterns that read its children or links, and
// writes of them or of what they copy. Without tables.
Model WorkloadOf(const Model& model, const Relationship& relationship);

struct AlternativeDesign {
  Model model;                     // The workload, with one table.
  std::vector<std::string> added;  // Patterns that needed an index besides the strategy's own keys.
};

// Nullopt when the strategy has no layout for this relationship; `why_not` says why.
std::optional<AlternativeDesign> DesignWith(const Model& workload, const Relationship& relationship,
                                            const Strategy& strategy, std::string& why_not);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_ALTERNATIVES_H_
