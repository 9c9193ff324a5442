// Executes the plan of a pattern on the server's database and tells everything that happened.
#ifndef PREJOIN_STUDIO_RUN_PATTERN_H_
#define PREJOIN_STUDIO_RUN_PATTERN_H_

#include <string>

#include "model/cost/prices.h"
#include "prejoin/result.h"
#include "process/task_runner.h"
#include "studio/api_request.h"

namespace prejoin::studio {

// `call` reads the server's tables. With the member "sample", on a database of its own that holds the model's sample.
Result<std::string> RunPattern(const ApiRequest& request, const process::Call& call,
                               const model::Prices& prices);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_RUN_PATTERN_H_
