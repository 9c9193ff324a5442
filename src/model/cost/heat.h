// The load of keys, taken apart: what one pattern or one write adds to it.
#ifndef PREJOIN_MODEL_COST_HEAT_H_
#define PREJOIN_MODEL_COST_HEAT_H_

#include <string>
#include <vector>

#include "model/cost/cost.h"
#include "model/plan/expectation.h"

namespace prejoin::model {

// Parts with one `place` share partitions, and add up.
struct HeatPart {
  std::string place;
  Heat heat;
};

std::vector<HeatPart> HeatOfPlan(Expectations& figures, const Plan& plan);
std::vector<HeatPart> HeatOfWrite(Expectations& figures, const Write& write);

// Of what a partition can give.
double Utilisation(const Heat& heat);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_HEAT_H_
