// Executes a plan on a backend: requests, follow-ups, merging of shards, and the reading of items
// into rows.
#ifndef PREJOIN_MODEL_PROVE_RUN_PLAN_H_
#define PREJOIN_MODEL_PROVE_RUN_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "model/data/evaluate.h"
#include "model/plan/plan.h"
#include "model/prove/backend.h"

namespace prejoin::model {

struct PlanRun {
  std::vector<std::vector<Row>> sections;  // Rows as the application sees them.
  double read_units = 0;
  double scan_units = 0;           // Those of Scans among them …
  double scan_units_by_items = 0;  // … and what their pages cost by the items that came in them.
  int requests = 0;
  std::size_t items_read = 0;
  std::size_t items_used = 0;
  std::size_t bytes_read = 0;
  // For each request that was sent, page by page: which of its items the answer needed. The others
  // were read and discarded.
  std::vector<std::vector<bool>> used;
};

// The units of `measured` that follow from the items. In which order a Scan meets partitions is the service's own affair, and with it where
// a page of 1 MB ends and is rounded up; so each of its pages is predicted by the items that came in it.
double PredictedUnits(const PlanRun& predicted, const PlanRun& measured);

// A key of the plan that cannot be made of the arguments: generated code refuses it too, and no item has it. Nothing: all can be made;
// a text: why not, although there are rows to find; empty: there are none.
std::optional<std::string> RefusedKeys(const Plan& plan, const Arguments& arguments,
                                       const std::vector<SectionAnswer>& expected);

Result<PlanRun> RunPlan(const Model& model, const Plan& plan, const Arguments& arguments,
                        Backend& backend);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_RUN_PLAN_H_
