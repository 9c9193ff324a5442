// The candidates of a model with their prices.
#ifndef PREJOIN_DESIGN_PRICING_H_
#define PREJOIN_DESIGN_PRICING_H_

#include "design/candidates.h"
#include "design/priced_space.h"
#include "model/schema/model.h"

namespace prejoin::design {

PricedSpace PriceSpace(const model::Model& logical, const Candidates& candidates,
                       const PricingOptions& options);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_PRICING_H_
