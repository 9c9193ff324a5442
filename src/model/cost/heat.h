// The load of the most used keys, and what one pattern or one write adds to it.
#ifndef PREJOIN_MODEL_COST_HEAT_H_
#define PREJOIN_MODEL_COST_HEAT_H_

#include <string>
#include <vector>

#include "model/plan/expectation.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The most used value of one partition key.
struct Heat {
  std::string view;
  std::string key;  // The template.
  SourceSpan at;
  double read_units_per_second = 0;
  double write_units_per_second = 0;
  double share = 0;        // Share of all requests that go to the hottest key.
  double utilisation = 0;  // Share of a partition's limit; above 1 it throttles.
};

std::vector<Heat> EstimateHeat(Expectations& figures, const std::vector<Plan>& plans);
std::vector<Heat> EstimateHeat(const Model& model, const std::vector<Plan>& plans);

// Parts with one `place` share partitions, and add up.
struct HeatPart {
  std::string place;
  Heat heat;
};

std::vector<HeatPart> HeatOfPlan(Expectations& figures, const Plan& plan);
std::vector<HeatPart> HeatOfWrite(Expectations& figures, const Write& write);

// Returns the share of a partition's limit.
double Utilisation(const Heat& heat);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_HEAT_H_
