// The decision rules R1 to R10 on the facts of one relationship, before anything is priced.
#ifndef PREJOIN_MODEL_ADVISE_DECIDE_H_
#define PREJOIN_MODEL_ADVISE_DECIDE_H_

#include <string>
#include <vector>

#include "model/advise/facts.h"
#include "model/schema/model.h"
#include "model/schema/strategy.h"

namespace prejoin::model {

// One step on the way to a strategy.
struct DecisionStep {
  int rule = 0;  // 7 for R7; 0 for what no rule says.
  std::string text;
  bool settles = false;  // Its answer leads to a strategy, not to the next question.
};

struct Decision {
  std::vector<const Strategy*> recommended;
  std::vector<DecisionStep> path;
};

// `workload` has the patterns and writes of the relationship, which may belong to another model.
Decision Decide(const Model& workload, const Relationship& relationship,
                const RelationshipFacts& facts);

// "R7 (kind of index) ", by its number.
std::string RuleTitle(int number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_DECIDE_H_
