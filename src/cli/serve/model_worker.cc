// The hidden verb of the processes that do the modelling work of `serve` and `mcp`.
#include "cli/serve/model_worker.h"

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verb.h"
#include "mcp/mcp_work.h"
#include "process/serve_tasks.h"
#include "process/task_failure.h"
#include "studio/model_work.h"
#include "studio/table_reads.h"

namespace prejoin::cli {
namespace {

constexpr const char* kWorkerVerb = "model-worker";

process::Handle PrepareModelWork(const std::string& settings) {
  const auto prices = model::ParsePrices(settings);
  return [prices = prices ? *prices : model::Prices{}](
             const std::string& route, const std::string& body, const process::Call& call) {
    const std::string version = PREJOIN_VERSION;
    if (mcp::IsMcpTask(route)) {
      return mcp::DoMcpWork(route, body, version, call);
    }
    return studio::DoModelWork(route, body, {prices, version, call});
  };
}

std::unique_ptr<process::ProcessPool> StartModelWork(const model::Prices& prices,
                                                     server::Metrics& metrics, server::Log& log) {
  process::PoolOptions options;
  options.command = ModelWorkerCommand(prices);
  options.failed = [&log](const std::string& route, process::Ending ending,
                          const std::string& reason) {
    log.Error("modelling work failed",
              {{"route", route}, {"ending", process::NameOf(ending)}, {"reason", reason}});
  };
  auto pool = std::make_unique<process::ProcessPool>(std::move(options));
  struct Counted {
    const char* name;
    process::Ending ending;
    const char* help;
  };
  constexpr Counted kCounted[] = {
      {"prejoin_model_tasks_answered", process::Ending::kAnswered,
       "Modelling tasks that were answered."},
      {"prejoin_model_tasks_crashed", process::Ending::kCrashed,
       "Modelling tasks whose process ended by a fault."},
      {"prejoin_model_tasks_out_of_time", process::Ending::kOutOfTime,
       "Modelling tasks that ran longer than their limit."},
      {"prejoin_model_tasks_out_of_memory", process::Ending::kOutOfMemory,
       "Modelling tasks that needed more memory than their limit."},
      {"prejoin_model_tasks_overtaken", process::Ending::kOvertaken,
       "Long modelling tasks that ended because others waited."},
      {"prejoin_model_tasks_waited_too_long", process::Ending::kWaitedTooLong,
       "Modelling tasks that never had their turn."},
      {"prejoin_model_tasks_client_gone", process::Ending::kClientGone,
       "Modelling tasks whose client went away."},
  };
  for (const Counted& one : kCounted) {
    metrics.AddGauge(one.name, one.help,
                     [p = pool.get(), ending = one.ending] { return p->ended(ending); });
  }
  metrics.AddGauge("prejoin_model_processes", "Processes for modelling work.",
                   [p = pool.get()] { return p->processes(); });
  metrics.AddGauge("prejoin_model_tasks_waiting", "Modelling tasks that wait for their turn.",
                   [p = pool.get()] { return p->waiting(); });
  return pool;
}

}  // namespace

process::WorkerCommand ModelWorkerCommand(const model::Prices& prices) {
  return {.arguments = {kWorkerVerb}, .settings = model::PrintPrices(prices)};
}

ModelServices::ModelServices(const model::Prices& prices, server::Metrics& metrics,
                             server::Log& log, server::OperationBackend& backend)
    : pool_(StartModelWork(prices, metrics, log)), reads_(studio::ReadsOf(backend)) {}

void ModelServices::AddTo(server::Dispatch& dispatch, studio::ModelFile* file,
                          const std::vector<std::string>& host_names, bool with_tools) {
  api_ = std::make_unique<studio::ModelApi>(*pool_, reads_, file, host_names);
  api_->AddRoutes(dispatch);
  mcp_ = std::make_unique<mcp::McpRoute>(*pool_, reads_, host_names);
  if (with_tools) {
    mcp_->AddTo(dispatch);
  }
}

void AddModelWorker(CLI::App& program, ExitCode& exit_code) {
  CLI::App* verb =
      program.add_subcommand(kWorkerVerb, "Serves tasks of the process that started it.");
  auto parent = std::make_shared<int>(0);
  verb->add_option("parent", *parent, "The id of that process")->required();
  verb->callback([parent, &exit_code] {
    exit_code = process::ServeTasks(*parent, PrepareModelWork) == 0 ? kFine : kCouldNotRun;
  });
}

}  // namespace prejoin::cli
