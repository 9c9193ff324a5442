// `prejoin explain`: how a pattern is served, and what each key attribute is for.
#include "model/plan/explain.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/cost/copies.h"
#include "model/syntax/spelling.h"

namespace prejoin::cli {
namespace {

struct ExplainArguments {
  std::string file;
  std::string pattern;
  std::string key;
  bool json = false;
  AssumptionArguments assumptions;
  PriceArguments prices;
};

ExitCode Explain(const ExplainArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const model::Model& model = loaded->read.model;
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  if (arguments.json) {
    Print(model::ExplainJson(loaded->read));
    return kFine;
  }
  if (!arguments.key.empty()) {
    const std::string text = model::ExplainKeys(model, arguments.key);
    if (text.empty()) {
      std::vector<std::string> keys;
      for (const model::KeyUse& use : model::WhyKeysExist(model)) {
        keys.push_back(use.attribute);
      }
      std::fprintf(stderr, "prejoin explain: no key attribute is called %s; %s\n",
                   arguments.key.c_str(), model::SpellingHint(arguments.key, keys).c_str());
    }
    PrintFolded(text);
    return text.empty() ? kCouldNotRun : kFine;
  }
  std::vector<std::string> names;
  for (const model::Pattern& pattern : model.patterns) {
    names.push_back(pattern.name.text);
    if (arguments.pattern.empty() || arguments.pattern == pattern.name.text) {
      PrintFolded(model::ExplainPattern(model, pattern) + "\n");
    }
  }
  if (!arguments.pattern.empty() && model.FindPattern(arguments.pattern) == nullptr) {
    std::fprintf(stderr, "prejoin explain: there is no pattern %s; %s\n", arguments.pattern.c_str(),
                 model::SpellingHint(arguments.pattern, names).c_str());
    return kCouldNotRun;
  }
  if (arguments.pattern.empty()) {
    PrintFolded("Why each key attribute exists\n" + model::ExplainKeys(model));
    const std::string copies = model::RenderCopies(model::PlanCopies(model));
    if (!copies.empty()) {
      PrintFolded("\nCopies, and the writes that a change of the original causes\n" + copies);
    }
    if (!ReportAssumptions(model, *prices, arguments.assumptions)) {
      return kAnswerIsNo;
    }
  }
  return kFine;
}

}  // namespace

void AddExplain(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Explain,
      {"explain",
       "Show the requests behind each access pattern and the purpose of each key attribute.",
       "Example:\n  prejoin explain school.prejoin A11\n  prejoin explain school.prejoin --key "
       "GSI1SK"});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  verb->add_option("PATTERN", arguments->pattern, "Name of one access pattern. Default: all");
  verb->add_option("--key", arguments->key,
                   "Show which access patterns depend on this key attribute, such as GSI1SK");
  AddPriceOptions(*verb, arguments->prices);
  AddAssumptionOptions(*verb, arguments->assumptions,
                       "Exit with 1 if a figure that the result depends on is not stated");
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
