// The work behind the POST routes of the model API: a route and the body of a request in, an answer out. Runs in a process of its
// own (docs/adr/0026); asks for the items of the server's tables through a call.
#ifndef PREJOIN_STUDIO_MODEL_WORK_H_
#define PREJOIN_STUDIO_MODEL_WORK_H_

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "model/cost/prices.h"
#include "prejoin/result.h"
#include "process/task_runner.h"
#include "studio/api_request.h"

namespace prejoin::studio {

struct WorkContext {
  const model::Prices& prices;
  const std::string& version;  // Generated code names it as the one that wrote it.
  const process::Call& call;   // GetItem, BatchGetItem, Query and Scan on the server's tables.
};

struct ModelRoute {
  std::string_view path;
  process::Lane lane;
  process::TaskLimits limits;
  Result<std::string> (*answer)(const ApiRequest& request, const WorkContext& context);
};

std::span<const ModelRoute> ModelRoutes();

// The answer to a POST on one of those routes; the errors are those of the model API. Never throws for what the body says.
process::Answer DoModelWork(std::string_view route, const std::string& body,
                            const WorkContext& context);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_MODEL_WORK_H_
