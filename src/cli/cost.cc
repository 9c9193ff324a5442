// `prejoin cost`: units and money.
#include "model/cost/cost.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/model_file.h"
#include "cli/verb.h"
#include "model/plan/planner.h"

namespace prejoin::cli {
namespace {

struct CostArguments {
  std::string file;
  std::string prices;
  double scale = 1;
  bool json = false;
};

ExitCode Cost(const CostArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) return code;
  model::Prices prices;
  if (!arguments.prices.empty()) {
    const auto text = ReadWholeFile(arguments.prices);
    if (!text) return kCouldNotRun;
    const auto parsed = model::ParsePrices(*text);
    if (!parsed) {
      std::fprintf(stderr, "prejoin cost: %s\n", parsed.error().message.c_str());
      return kCouldNotRun;
    }
    prices = *parsed;
  }
  const auto report = model::EstimateCost(loaded->read.model, model::PlanAll(loaded->read.model),
                                          prices, arguments.scale);
  if (arguments.json) {
    Print(model::CostJson(report));
  } else {
    PrintFolded(model::RenderCost(loaded->read.model, report, prices));
  }
  return kFine;
}

}  // namespace

void AddCost(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<CostArguments>();
  CLI::App* verb = program.add_subcommand(
      "cost", "Units and money: each pattern, write, index; storage; hot keys; sizes at scale.");
  verb->add_option("FILE", arguments->file, "Model file")->required();
  verb->add_option("--prices", arguments->prices,
                   "Price file: read_million = 0.125, write_million, storage_gb_month, currency");
  verb->add_option("--scale", arguments->scale, "Multiply counts and rates")
      ->check(CLI::PositiveNumber);
  verb->add_flag("--json", arguments->json, "For programs");
  verb->footer("Example:\n  prejoin cost school.prejoin --scale 10");
  verb->callback([arguments, &exit_code] { exit_code = Cost(*arguments); });
}

}  // namespace prejoin::cli
