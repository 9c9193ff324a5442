// Routes that only look at a model: what is wrong with it, how it is laid out, planned, priced and
// advised. Each gives the JSON of its answer.
#ifndef PREJOIN_STUDIO_DESCRIBE_MODEL_H_
#define PREJOIN_STUDIO_DESCRIBE_MODEL_H_

#include <string>

#include "model/cost/prices.h"
#include "prejoin/result.h"
#include "studio/api_request.h"

namespace prejoin::studio {

Result<std::string> CheckSource(const ApiRequest& request);
Result<std::string> FormatSource(const ApiRequest& request);
Result<std::string> PlanSource(const ApiRequest& request);
Result<std::string> CostSource(const ApiRequest& request, const model::Prices& prices);
Result<std::string> AdviseSource(const ApiRequest& request, const model::Prices& prices);
// The file with one relationship stored in another way.
Result<std::string> SwitchSource(const ApiRequest& request);
// Searches for a design, as `prejoin design` does; slow.
Result<std::string> DesignSource(const ApiRequest& request, const model::Prices& prices);
// Proves the model, as `prejoin prove` does, on a database of its own in memory; slow.
Result<std::string> ProveSource(const ApiRequest& request);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_DESCRIBE_MODEL_H_
