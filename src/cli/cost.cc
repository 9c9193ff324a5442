// `prejoin cost`: units and money.
#include "model/cost/cost.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/plan/planner.h"
#include "model/throughput/capacity.h"

namespace prejoin::cli {
namespace {

struct CostArguments {
  std::string file;
  PriceArguments prices;
  double scale = 1;
  bool json = false;
  double max_cost = -1;  // Negative: no limit.
  AssumptionArguments assumptions;
};

ExitCode Cost(const CostArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  model::Expectations figures(loaded->read.model, {}, arguments.scale);
  const std::vector<model::Plan> plans = model::PlanAll(figures);
  auto report = model::EstimateCost(figures, plans, *prices);
  report.assumptions = model::AssumptionEffects(loaded->read.model, *prices);
  if (arguments.json) {
    Print(model::CostJson(report));
  } else {
    const std::string capacity = model::RenderCapacity(model::PlanCapacity(figures, plans, *prices),
                                                       *prices, TerminalColumns());
    PrintFolded(
        capacity + (capacity.empty() ? "" : "\n") +
        model::RenderCost(report, *prices, arguments.assumptions.List(), TerminalColumns()));
  }
  if (arguments.max_cost >= 0 && report.money_per_month > arguments.max_cost) {
    std::fprintf(stderr,
                 "prejoin cost: the design costs $%.2f/month; --max-cost allows $%.2f/month\n",
                 report.money_per_month, arguments.max_cost);
    return kAnswerIsNo;
  }
  if (!arguments.assumptions.strict || report.assumptions.empty()) {
    return kFine;
  }
  std::fprintf(stderr, "prejoin cost: --strict: %zu default%s used\n",
               report.assumptions.size(), report.assumptions.size() == 1 ? "" : "s");
  return kAnswerIsNo;
}

}  // namespace

void AddCost(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Cost,
              {"cost",
               "Estimate capacity units and monthly cost for each access pattern, write and index, "
               "and show storage, hot keys and growth.",
               "Example:\n  prejoin cost school.prejoin --scale 10"});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  AddPriceOptions(*verb, arguments->prices);
  AddAssumptionOptions(*verb, arguments->assumptions,
                       "Exit with 1 if a figure that the result depends on is not stated");
  verb->add_option("--scale", arguments->scale,
                   "Scale the workload: multiply row counts (except `count … fixed`) and request "
                   "rates by this factor")
      ->check(PositiveNumber());
  verb->add_option("--max-cost", arguments->max_cost,
                   "Exit with 1 if the design costs more dollars each month than this")
      ->check(NonNegativeNumber());
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
