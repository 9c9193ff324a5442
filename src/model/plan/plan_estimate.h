// The expected reads of a plan, on the declared counts and sizes.
#ifndef PREJOIN_MODEL_PLAN_PLAN_ESTIMATE_H_
#define PREJOIN_MODEL_PLAN_PLAN_ESTIMATE_H_

#include <vector>

#include "model/plan/expectation.h"
#include "model/plan/expected_units.h"
#include "model/plan/plan.h"
#include "model/plan/section_access.h"

namespace prejoin::model {

// Fills `estimate`, `thrown_away` and the limits of the requests. `accesses` are those of the
// sections, in order.
void EstimatePlan(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan);

// The items that keep attributes of a layout's rows unique: nothing but a key for each value.
struct LockItems {
  double count = 0;
  double bytes = 0;  // Of all together.
};
LockItems LockItemsOf(Expectations& figures, const Table& table, const ItemLayout& layout);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PLAN_ESTIMATE_H_
