// Finds the cheapest legal way to serve an access pattern with the keys at hand.
#ifndef PREJOIN_MODEL_PLAN_PLANNER_H_
#define PREJOIN_MODEL_PLAN_PLANNER_H_

#include <string>
#include <vector>

#include "model/plan/expectation.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The plan borrows from the model. A pattern that asks for strong consistency but is only served by
// a global index is planned all the same, with `strong` false; check reports it.
Plan PlanPattern(Expectations& figures, const Pattern& pattern);

std::vector<Plan> PlanAll(Expectations& figures);

// Distinct plans, cheapest first, at most `count`.
std::vector<Plan> PlanAlternatives(Expectations& figures, const Pattern& pattern,
                                   std::size_t count);

// The same for a single question, when nobody asks what was assumed.
Plan PlanPattern(const Model& model, const Pattern& pattern);
std::vector<Plan> PlanAll(const Model& model);
std::vector<Plan> PlanAlternatives(const Model& model, const Pattern& pattern, std::size_t count);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PLANNER_H_
