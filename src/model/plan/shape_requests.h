// The parameters of a request besides its keys, once it is known which sections share it: no sort condition
// where all of the partition is needed, and a Limit where every section stops early.
#ifndef PREJOIN_MODEL_PLAN_SHAPE_REQUESTS_H_
#define PREJOIN_MODEL_PLAN_SHAPE_REQUESTS_H_

#include <vector>

#include "model/plan/access.h"
#include "model/plan/expectation.h"
#include "model/plan/plan.h"

namespace prejoin::model {

// `accesses` are those of the plan's sections, in order.
void ShapeRequests(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SHAPE_REQUESTS_H_
