// `prejoin advise`: a strategy for each relationship, with the reasons and the prices of the
// others.
#include "model/advise/advise.h"

#include <CLI/CLI.hpp>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "design/design.h"
#include "design/existing/advice_note.h"
#include "model/plan/combinations.h"

namespace prejoin::cli {
namespace {

struct AdviseArguments {
  std::string file;
  PriceArguments prices;
  model::AdviseOptions options;
  bool rules = false;
  bool json = false;
};

// The rules and the search must not contradict each other unexplained.
void PrintDesignNotes(const LoadedModel& loaded, const std::vector<model::Advice>& advice,
                      const model::Prices& prices) {
  constexpr double kSecondsMax = 10;
  if (advice.empty()) {
    return;
  }
  design::DesignOptions options;
  options.prices = prices;
  options.prove = false;
  options.seconds_max = kSecondsMax;
  options.brief = true;
  const auto report = design::MakeDesign(loaded.source, loaded.read, options);
  if (!report) {
    return;
  }
  PrintFolded("\n" + design::RenderAdviceNotes(design::CompareAdvice(advice, *report, prices)));
}

ExitCode Advise(const AdviseArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  const auto advice = model::Advise(loaded->read.model, *prices, arguments.options);
  if (arguments.json) {
    Print(model::AdviceJson(advice));
  } else {
    PrintFolded(model::RenderAdvice(
        advice, *prices, TerminalColumns(),
        arguments.rules ? model::AdviceDetail::kRules : model::AdviceDetail::kScreen));
    PrintFolded(model::RenderCombinations(model::AdviseCombinations(loaded->read.model)));
    if (arguments.options.scale == 1) {
      PrintDesignNotes(*loaded, advice, *prices);
    }
  }
  return kFine;
}

}  // namespace

void AddAdvise(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Advise,
              {"advise",
               "Recommend a strategy for each relationship, with reasons, the cost of the "
               "alternatives, and what would change the choice.",
               "Example:\n  prejoin advise school.prejoin"});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  AddPriceOptions(*verb, arguments->prices);
  verb->add_option("--only", arguments->options.only, "Advise on this relationship only");
  verb->add_option("--scale", arguments->options.scale,
                   "Scale the workload: multiply row counts (except `count … fixed`) and request "
                   "rates by this factor")
      ->check(PositiveNumber());
  verb->add_flag("--rules", arguments->rules, "Show every step of the rules R1 to R10");
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
