// Which strategies the keys of a relationship really have.
#ifndef PREJOIN_MODEL_SCHEMA_STRATEGY_MATCH_H_
#define PREJOIN_MODEL_SCHEMA_STRATEGY_MATCH_H_

#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/schema/strategy.h"

namespace prejoin::model {

// Empty if the keys do what the strategy says, else what is missing.
std::string StrategyMismatch(const Model& model, const Relationship& relationship,
                             const Strategy& strategy);

// All strategies that the keys have.
std::vector<const Strategy*> StrategiesInUse(const Model& model, const Relationship& relationship);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_STRATEGY_MATCH_H_
