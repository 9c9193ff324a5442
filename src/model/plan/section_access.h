// All legal ways to reach the rows of one section, each with a single request and what must follow
// it.
#ifndef PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_
#define PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_

#include <vector>

#include "model/plan/access.h"
#include "model/plan/follow_ups.h"
#include "model/plan/key_expression.h"

namespace prejoin::model {

// Nothing when no key serves the section. Views that cannot be that fresh are left out.
std::vector<Access> FindAccesses(const Model& model, const Section& section, const Freshly& fresh);

// Reading the whole table, for patterns that allow it; nothing when the rows are not stored as items.
std::vector<Access> ScanAccesses(const Model& model, const Section& section, const Freshly& fresh);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_
