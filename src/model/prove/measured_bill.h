// The monthly bill as it would be with measured units in place of estimated ones.
#ifndef PREJOIN_MODEL_PROVE_MEASURED_BILL_H_
#define PREJOIN_MODEL_PROVE_MEASURED_BILL_H_

#include <string>

#include "model/cost/cost.h"
#include "model/prove/compare_estimates.h"

namespace prejoin::model {

struct MeasuredBill {
  double money = 0;  // Per month.
  // The pattern, write or view whose difference moves the bill most, in words; empty: none moves it.
  std::string largest_difference;
};

// Each part of the bill is multiplied with what was measured of it and divided by what was estimated at the size of the measurement.
MeasuredBill MeasureBill(const CostReport& cost, const EstimateComparison& comparison);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_MEASURED_BILL_H_
