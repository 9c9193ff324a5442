// `prejoin design`: the physical half of a model.
#include "design/design.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "base/parse_number.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/prefer_option.h"
#include "cli/print_design.h"
#include "cli/progress.h"
#include "cli/verb.h"

namespace prejoin::cli {
namespace {

struct DesignArguments {
  std::string file;
  PriceArguments prices;
  std::string prefer = "cheapest";
  std::string keys = "any";
  std::vector<std::string> keep;
  std::string heat = "50%";
  double seconds = 60;
  double rows = 300;
  bool write = false;
  bool json = false;
};

volatile std::sig_atomic_t interrupted = 0;

std::optional<double> ParsePercentage(std::string_view text) {
  return ParseDecimal(text.ends_with('%') ? text.substr(0, text.size() - 1) : text);
}

// Empty for 1% to 100%, with or without the sign; else what is wrong.
std::string IsPercentage(const std::string& text) {
  const auto percent = ParsePercentage(text);
  return percent && *percent >= 1 && *percent <= 100 ? "" : "a share from 1% to 100%, such as 70%";
}

ExitCode RunDesign(const DesignArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  design::DesignOptions options;
  options.prices = *prices;
  options.prefer = *design::FindPreference(arguments.prefer);
  options.keys = arguments.keys == "generic"   ? design::KeyStyle::kGeneric
                 : arguments.keys == "natural" ? design::KeyStyle::kNatural
                                               : design::KeyStyle::kAny;
  options.keep = arguments.keep;
  options.heat_max = ParsePercentage(arguments.heat).value_or(50) / 100;
  options.intervals = true;
  options.seconds_max = arguments.seconds;
  options.proof_rows = arguments.rows;
  ProgressLine line;
  options.progress = [&](const std::string& what) { line.Show(what); };
  // The first Ctrl-C ends the search with the best so far; the second ends the program.
  options.stop = [] { return interrupted != 0; };
  std::signal(SIGINT, [](int) {
    interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
  });
  const auto report = design::MakeDesign(loaded->source, loaded->read, options);
  std::signal(SIGINT, SIG_DFL);
  line.Clear();
  if (!report) {
    std::fprintf(stderr, "prejoin design: %s: %s\n", arguments.file.c_str(),
                 report.error().message.c_str());
    return kCouldNotRun;
  }
  const design::FoundDesign& best = report->designs[0];
  // In a pipe there is no file to write to: the new text goes on to the next program, the report to the person.
  const bool passes_on = arguments.write && arguments.file == "-";
  if (arguments.json) {
    PrintTo(passes_on ? stderr : stdout, design::DesignJson(*report));
  } else {
    PrintDesign(*report, *prices, passes_on ? stderr : stdout);
  }
  if (passes_on && best.proved) {
    Print(best.source);
  } else if (arguments.write && best.proved) {
    if (!WriteWholeFile(arguments.file, best.source)) {
      return kCouldNotRun;
    }
  } else if (arguments.write) {
    std::fprintf(stderr, "prejoin design: not proved, so nothing was written\n");
  }
  return best.proved && report->unserved.empty() ? kFine : kAnswerIsNo;
}

}  // namespace

void AddDesign(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, RunDesign,
      {"design",
       "Find the cheapest keys, indexes and projections for the entities and access patterns in "
       "FILE, and prove them by running every pattern.",
       "Examples:\n  prejoin design shop.prejoin --prefer fewest-indexes\n  prejoin import-model "
       "schema.sql | prejoin design - --write | prejoin prove -\n\nExit codes: 0 proved, 1 an "
       "access pattern is not supported or a proof failed, 2 could not run."});
  verb->add_option("FILE", arguments->file,
                   "Model file; the tables in it are used for comparison only")
      ->required();
  AddPreferOption(*verb, arguments->prefer);
  verb->add_option("--keys", arguments->keys,
                   "Index keys: `generic` (GSI1PK, shared by entities), `natural` (attributes as "
                   "they are), or `any`, whichever is cheaper")
      ->check(CLI::IsMember({"any", "generic", "natural"}));
  verb->add_option("--keep", arguments->keep,
                   "Entity or table whose items keep the keys they have in FILE; its indexes may "
                   "still change. Repeatable")
      ->allow_extra_args(false);
  verb->add_option("--heat", arguments->heat,
                   "The hottest key takes at most this share of a partition's limit at peak load, "
                   "such as 70%")
      ->check(IsPercentage);
  verb->add_option("--seconds", arguments->seconds,
                   "Stop after this many seconds and report the best design found")
      ->check(PositiveNumber());
  verb->add_option("--rows", arguments->rows, "Number of rows to generate for the proof")
      ->check(PositiveNumber());
  AddPriceOptions(*verb, arguments->prices);
  verb->add_flag("--write", arguments->write,
                 "Replace the tables in FILE with the new design. With - as FILE, print the whole "
                 "model and send the report to standard error");
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
