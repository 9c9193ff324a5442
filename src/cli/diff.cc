// `prejoin diff`: two designs side by side.
#include "design/diff.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/ci/ci_report.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/syntax/figure_text.h"

namespace prejoin::cli {
namespace {

struct DiffArguments {
  TwoModelsArguments models;
  bool json = false;
  CiArguments ci;
  bool exit_code = false;
  std::string max_increase;
};

// True if anything that a user of the table could notice differs.
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

// True if the new design costs at most so much more each month.
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

std::string SideText(const design::DiffSide& side) {
  if (!side.there) {
    return "not there";
  }
  if (!side.served) {
    return "not supported by any key";
  }
  return model::FigureText(side.units) + " units, " + model::MoneyText("$", side.money) + "/month";
}

// A pattern that no key supports any more fails; what merely changes is a note, and what stays is fine.
std::vector<CiCase> CasesOf(const DiffArguments& arguments, const design::DiffReport& report,
                            ExitCode budget) {
  const std::string& file = arguments.models.after;
  std::vector<CiCase> cases;
  for (const design::DiffRow& row : report.rows) {
    const bool lost = row.before.there && row.before.served && row.after.there && !row.after.served;
    const bool same = row.before.there == row.after.there && row.before.served == row.after.served &&
                      row.before.requests == row.after.requests && row.before.units == row.after.units;
    cases.push_back({file, 0, 0, (row.is_write ? "write " : "pattern ") + row.name,
                     lost   ? CiCase::Level::kError
                     : same ? CiCase::Level::kFine
                            : CiCase::Level::kNotice,
                     SideText(row.before) + " → " + SideText(row.after)});
  }
  cases.push_back({file, 0, 0, "monthly cost",
                   budget == kFine ? CiCase::Level::kNotice : CiCase::Level::kError,
                   model::MoneyText("$", report.money_before) + " → " +
                       model::MoneyText("$", report.money_after) +
                       (arguments.max_increase.empty() ? "" : ", at most " + arguments.max_increase + " more is allowed")});
  return cases;
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
  const ExitCode within = arguments.max_increase.empty()
                              ? kFine
                              : WithinIncrease(report, arguments.max_increase);
  const ExitCode reported = ReportToCi(arguments.ci, "diff", CasesOf(arguments, report, within));
  if (std::max(within, reported) != kFine) {
    return std::max(within, reported);
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
  AddCiOptions(*verb, arguments->ci);
  verb->add_flag("--json", arguments->json, "Print JSON");
  verb->add_flag("--exit-code", arguments->exit_code,
                 "Exit with 1 if the plan of an access pattern changes or items must be rewritten");
  verb->add_option("--max-increase", arguments->max_increase,
                   "Exit with 1 if the new design costs more than this share more each month, "
                   "such as 5%");
}

}  // namespace prejoin::cli
