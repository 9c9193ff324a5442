// `prejoin diff`: two designs side by side.
#include "design/diff.h"

#include <CLI/CLI.hpp>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"

namespace prejoin::cli {
namespace {

struct DiffArguments {
  TwoModelsArguments models;
  bool json = false;
};

ExitCode Diff(const DiffArguments& arguments) {
  ExitCode code = kFine;
  const auto models = LoadTwoModels(arguments.models, code);
  if (!models) {
    return code;
  }
  const design::DiffReport report =
      design::DiffDesigns(models->before.read.model, models->after.read.model, models->prices);
  Print(arguments.json ? design::DiffJson(report) : design::RenderDiff(report, models->prices));
  return kFine;
}

}  // namespace

void AddDiff(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Diff,
              {"diff",
               "Compare two designs: access patterns, cost, round trips, and the price of "
               "migrating the data.",
               "Example:\n  prejoin diff shop.prejoin shop-new.prejoin"});
  AddTwoModels(*verb, arguments->models);
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
