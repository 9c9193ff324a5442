// A model of a business so many times as large, for whoever prices models and not plans.
#ifndef PREJOIN_MODEL_ADVISE_SCALED_MODEL_H_
#define PREJOIN_MODEL_ADVISE_SCALED_MODEL_H_

#include "model/schema/model.h"

namespace prejoin::model {

// Its rows grow as they do in `cost` (model/plan/growth.cc), its requests all alike. One parent has as many children as before.
Model Scaled(const Model& model, double scale);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_SCALED_MODEL_H_
