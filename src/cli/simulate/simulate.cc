// `prejoin simulate`: the load of a model on tables that throttle as on AWS.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "cli/ci/ci_report.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "simulate/report.h"
#include "simulate/scenario.h"
#include "simulate/workload.h"

namespace prejoin::cli {
namespace {

struct SimulateArguments {
  std::string file;
  std::string scenario;
  double until_minutes = 0;
  double rate_factor = 0;
  double rows = 20'000;
  bool at_peak = false;
  std::optional<std::uint64_t> seed;
  std::string retries;
  bool json = false;
  PriceArguments prices;
  CiArguments ci;
};

ExitCode CannotSimulate(const std::string& where, const std::string& message) {
  std::fprintf(stderr, "prejoin simulate: %s: %s\n", where.c_str(), message.c_str());
  return kCouldNotRun;
}

Result<simulate::Scenario> ScenarioOf(const SimulateArguments& arguments) {
  simulate::Scenario scenario;
  if (!arguments.scenario.empty()) {
    std::ifstream file(arguments.scenario, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
      return ValidationError("cannot read the file");
    }
    PJ_ASSIGN_OR_RETURN(scenario, simulate::ParseScenario(text.str()));
  }
  if (arguments.until_minutes > 0) {
    scenario.seconds = arguments.until_minutes * 60;
  }
  if (arguments.rate_factor > 0) {
    scenario.rate_factor = arguments.rate_factor;
  }
  scenario.at_peak = scenario.at_peak || arguments.at_peak;
  if (arguments.seed) {
    scenario.seed = *arguments.seed;
  }
  scenario.retries = simulate::RetryModeOf(arguments.retries).value_or(scenario.retries);
  return scenario;
}

// One case for each objective; without objectives, one for the run.
std::vector<CiCase> CasesOf(const simulate::Report& report, const SimulateArguments& arguments) {
  const std::string& file = arguments.scenario.empty() ? arguments.file : arguments.scenario;
  std::vector<CiCase> cases;
  for (const simulate::ObjectiveResult& objective : report.objectives) {
    cases.push_back({.file = file,
                     .name = "objective " + objective.text.substr(0, objective.text.find(':')),
                     .level = objective.met ? CiCase::Level::kFine : CiCase::Level::kError,
                     .message = objective.text});
  }
  if (cases.empty()) {
    cases.push_back({.file = file, .name = "simulation", .level = CiCase::Level::kFine});
  }
  return cases;
}

ExitCode RunSimulate(const SimulateArguments& arguments) {
  const auto scenario = ScenarioOf(arguments);
  if (!scenario) {
    return CannotSimulate(arguments.scenario, scenario.error().message);
  }
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const auto workload = simulate::MakeWorkload(
      loaded->read.model, {.rows = arguments.rows,
                           .seed = scenario->seed,
                           .days = simulate::ReadDailyRates(loaded->read.tree)});
  if (!workload) {
    return CannotSimulate(arguments.file, workload.error().message);
  }
  const auto report = simulate::MakeReport(arguments.file, *workload, *scenario, *prices);
  if (!report) {
    return CannotSimulate(arguments.file, report.error().message);
  }
  Print(arguments.json ? simulate::ReportJson(*report) + "\n" : simulate::RenderReport(*report));
  if (const ExitCode written = ReportToCi(arguments.ci, "simulate", CasesOf(*report, arguments));
      written != kFine) {
    return written;
  }
  return report->all_met() ? kFine : kAnswerIsNo;
}

}  // namespace

void AddSimulate(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, RunSimulate,
      {"simulate",
       "Run the access patterns and writes of a model as load on tables that throttle as on AWS, "
       "and say what to change.",
       "Examples:\n  prejoin simulate shop.prejoin\n  prejoin simulate shop.prejoin --scenario "
       "black-friday.scenario --seed 7\n\nExit codes: 0 every objective is met, 1 one is missed, 2 "
       "could not run."});
  verb->add_option("FILE", arguments->file, "Model file with rates")->required();
  verb->add_option("--scenario", arguments->scenario,
                   "Scenario file: capacity, load over time, retries, objectives "
                   "(docs/simulate.md). Default: new on-demand tables and the rates of the model");
  verb->add_option(
          "--until", arguments->until_minutes,
          "Minutes to simulate. Default: 60, or fewer if that is more than a million calls")
      ->check(PositiveNumber());
  verb->add_option("--rate", arguments->rate_factor, "Multiply all request rates by this factor")
      ->check(PositiveNumber());
  verb->add_flag("--peak", arguments->at_peak,
                 "Use the peak rates that the model states, at all hours. Default: the average rates, or those of "
                 "the stated hours from the busiest one on");
  verb->add_option("--rows", arguments->rows, "About how many rows to generate")
      ->check(NumberFrom(1.0, 1e7))
      ->capture_default_str();
  verb->add_option("--seed", arguments->seed, "Seed of rows, arrivals and waits. Default: 1");
  verb->add_option("--retries", arguments->retries,
                   "Retries of the clients: standard (the default of AWS SDKs since November "
                   "2026), adaptive, standard-2025, standard-2025-js, legacy or none")
      ->check(CLI::IsMember({"standard", "adaptive", "standard-2025", "standard-2025-js", "legacy", "none"}));
  AddPriceOptions(*verb, arguments->prices);
  verb->add_flag("--json", arguments->json, "Print JSON");
  AddCiOptions(*verb, arguments->ci);
}

}  // namespace prejoin::cli
