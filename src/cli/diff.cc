// `prejoin diff`: two designs side by side.
#include "design/diff.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_file.h"
#include "cli/verb.h"

namespace prejoin::cli {
namespace {

struct DiffArguments {
  std::string before;
  std::string after;
  PriceArguments prices;
  bool json = false;
};

ExitCode Diff(const DiffArguments& arguments) {
  ExitCode code = kFine;
  const auto before = LoadModel(arguments.before, code);
  if (!before) return code;
  const auto after = LoadModel(arguments.after, code);
  if (!after) return code;
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) return kCouldNotRun;
  const design::DiffReport report =
      design::DiffDesigns(before->read.model, after->read.model, *prices);
  Print(arguments.json ? design::DiffJson(report) : design::RenderDiff(report, *prices));
  return kFine;
}

}  // namespace

void AddDiff(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* verb = program.add_subcommand(
      "diff",
      "Two designs side by side: patterns, cost, trips, what must be rewritten and what it costs.");
  verb->add_option("OLD", arguments->before, "Model file")->required();
  verb->add_option("NEW", arguments->after, "Model file")->required();
  AddPriceOptions(*verb, arguments->prices);
  verb->add_flag("--json", arguments->json, "For programs");
  verb->footer("Example:\n  prejoin diff shop.prejoin shop-new.prejoin");
  verb->callback([arguments, &exit_code] { exit_code = Diff(*arguments); });
}

}  // namespace prejoin::cli
