// The smallest change of the keys that would serve a pattern.
#ifndef PREJOIN_MODEL_PLAN_PROPOSE_H_
#define PREJOIN_MODEL_PLAN_PROPOSE_H_

#include <string>

#include "model/schema/model.h"

namespace prejoin::model {

// In words, tried out by planning again with it; or why no key can serve the pattern.
std::string ProposeChange(const Model& model, const Pattern& pattern);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PROPOSE_H_
