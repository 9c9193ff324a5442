// Copies of data: where they are, and what a change of the original must touch.
#ifndef PREJOIN_MODEL_COST_COPIES_H_
#define PREJOIN_MODEL_COST_COPIES_H_

#include <string>
#include <vector>

#include "model/plan/expectation.h"
#include "model/schema/model.h"

namespace prejoin::model {

// One attribute of one entity, copied onto the items of another.
struct CopyPlan {
  Reference<Entity> entity;  // The original …
  std::string attribute;     // … and which of its attributes.
  Reference<Entity> holder;  // The entity whose items have the copies …
  std::string stored;        // … and in which attribute.
  CopyUpkeep upkeep = CopyUpkeep::kNotStated;
  double copies = 0;       // Expected copies of one original; each is an item to write.
  double copies_most = 0;  // 0: unbounded.
  double units = 0;        // To change all of them once, indexes included.
  std::string found_by;    // The request that finds them; empty: no key does.
  double find_units = 0;   // Read units to find those of one original; by a Scan where no key does.
  double changes_per_day = 0;  // Changes of one original, as far as the model says.
  double money_per_month = 0;  // Monthly cost of those changes; set by EstimateCost.
  double unwritten_per_second =
      0;  // Changes of all originals that are stated and that no write makes.
};
std::vector<CopyPlan> PlanCopies(Expectations& figures);
std::vector<CopyPlan> PlanCopies(const Model& model);

// One paragraph for each; empty when nothing is copied.
std::string RenderCopies(const std::vector<CopyPlan>& copies);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_COPIES_H_
