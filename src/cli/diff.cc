// `prejoin diff`: two designs side by side.
#include "design/diff.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"

namespace prejoin::cli {
namespace {

struct DiffArguments {
  TwoModelsArguments models;
  bool json = false;
  bool exit_code = false;
  std::string max_increase;
};

// Whether anything that a user of the table could notice differs.
bool Differs(const design::DiffReport& report) {
  return !report.changes.empty() || std::ranges::any_of(report.rows, [](const auto& row) {
    return row.before.there != row.after.there || row.before.served != row.after.served ||
           row.before.requests != row.after.requests;
  });
}

// "5%", "5" or "2.5%"; nullopt for other texts.
std::optional<double> PercentOf(const std::string& text) {
  double percent = 0;
  const char* end = text.data() + text.size() - (text.ends_with('%') ? 1 : 0);
  const auto [read, error] = std::from_chars(text.data(), end, percent);
  return error == std::errc() && read == end && percent >= 0 ? std::optional(percent)
                                                             : std::nullopt;
}

// Whether the new design costs at most so much more each month.
ExitCode WithinIncrease(const design::DiffReport& report, const std::string& limit) {
  const auto percent = PercentOf(limit);
  if (!percent) {
    std::fprintf(stderr, "prejoin diff: --max-increase takes a share such as 5%%, not %s\n",
                 limit.c_str());
    return kCouldNotRun;
  }
  const double allowed = report.money_before * (1 + *percent / 100);
  if (report.money_after <= allowed) {
    return kFine;
  }
  std::fprintf(stderr,
               "prejoin diff: the new design costs $%.2f/month, the old one $%.2f/month; at most "
               "$%.2f/month is allowed (--max-increase %s)\n",
               report.money_after, report.money_before, allowed, limit.c_str());
  return kAnswerIsNo;
}

ExitCode Diff(const DiffArguments& arguments) {
  ExitCode code = kFine;
  const auto models = LoadTwoModels(arguments.models, code);
  if (!models) {
    return code;
  }
  const design::DiffReport report =
      design::DiffDesigns(models->before.read.model, models->after.read.model, models->prices);
  Print(arguments.json ? design::DiffJson(report) : design::RenderDiff(report, models->prices));
  if (!arguments.max_increase.empty()) {
    if (const ExitCode within = WithinIncrease(report, arguments.max_increase); within != kFine) {
      return within;
    }
  }
  return arguments.exit_code && Differs(report) ? kAnswerIsNo : kFine;
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
  verb->add_flag("--exit-code", arguments->exit_code,
                 "Exit with 1 if the plan of an access pattern changes or items must be rewritten");
  verb->add_option("--max-increase", arguments->max_increase,
                   "Exit with 1 if the new design costs more than this share more each month, "
                   "such as 5%");
}

}  // namespace prejoin::cli
