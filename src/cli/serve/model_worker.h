// Modelling work in processes of its own (docs/adr/0026): how `serve` and `mcp` start them.
#ifndef PREJOIN_CLI_SERVE_MODEL_WORKER_H_
#define PREJOIN_CLI_SERVE_MODEL_WORKER_H_

#include <memory>

#include "model/cost/prices.h"
#include "process/process_pool.h"
#include "server/log.h"
#include "server/metrics.h"

namespace prejoin::cli {

// This program, as the hidden verb that serves tasks.
process::WorkerCommand ModelWorkerCommand(const model::Prices& prices);

// Failures go to `log` and `metrics`, which outlive the pool.
std::unique_ptr<process::ProcessPool> StartModelWork(const model::Prices& prices,
                                                     server::Metrics& metrics, server::Log& log);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_MODEL_WORKER_H_
