// Modelling work in processes of its own (docs/adr/0026): how `serve` and `mcp` start them.
#ifndef PREJOIN_CLI_SERVE_MODEL_WORKER_H_
#define PREJOIN_CLI_SERVE_MODEL_WORKER_H_

#include <memory>
#include <string>
#include <vector>

#include "mcp/mcp_route.h"
#include "model/cost/prices.h"
#include "process/process_pool.h"
#include "server/backend.h"
#include "server/dispatch.h"
#include "server/log.h"
#include "server/metrics.h"
#include "studio/model_api.h"
#include "studio/model_file.h"

namespace prejoin::cli {

// This program, as the hidden verb that serves tasks.
process::WorkerCommand ModelWorkerCommand(const model::Prices& prices);

// The routes of a server whose work is done in such processes: the model API and, if asked for, the tools of assistants.
// Outlives the server that its routes are served by.
class ModelServices {
 public:
  // Failures go to `log` and `metrics`; reads of tables to `backend`. All of them outlive this object.
  ModelServices(const model::Prices& prices, server::Metrics& metrics, server::Log& log,
                server::OperationBackend& backend);

  // `file` may be null.
  void AddTo(server::Dispatch& dispatch, studio::ModelFile* file,
             const std::vector<std::string>& host_names, bool with_tools);
  // Ends all work; requests that come later are refused.
  void Stop() { pool_->Stop(); }

 private:
  const std::unique_ptr<process::ProcessPool> pool_;
  const process::Call reads_;
  std::unique_ptr<studio::ModelApi> api_;
  std::unique_ptr<mcp::McpRoute> mcp_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_MODEL_WORKER_H_
