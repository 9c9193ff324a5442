// `prejoin check`: lints model files.
#include "model/check/check.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/ci/ci_report.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/check/all_rules.h"
#include "model/check/apply_fixes.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/unified_diff.h"

namespace prejoin::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string explain;
  bool json = false;
  bool sarif = false;
  bool fix = false;
  bool dry_run = false;
  bool unsafe_fixes = false;
  AssumptionArguments assumptions;
  CiArguments ci;

  bool for_people() const { return !json && !sarif; }
};

// Counts the findings and fixes of one run.
struct CheckTotals {
  std::size_t files = 0;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t fixed = 0;
  std::size_t fixable = 0;  // Left, although --unsafe-fixes would fix them.
  bool guessed = false;
};

ExitCode Explain(const std::string& id) {
  for (const model::Rule& rule : model::AllRules()) {
    if (id == "all") {
      std::printf("%s %-26s %s\n", rule.id.data(), rule.name.data(), rule.summary.data());
    }
  }
  if (id == "all") {
    return kFine;
  }
  const model::Rule* rule = model::FindRule(id);
  if (rule == nullptr) {
    std::fprintf(stderr, "prejoin check: there is no rule %s; --explain all lists them\n",
                 id.c_str());
    return kCouldNotRun;
  }
  PrintFolded(model::ExplainRule(*rule));
  return kFine;
}

std::string CountedText(std::size_t count, const char* what) {
  return model::Counted(static_cast<double>(count), what);
}

// Makes the fixes and gives the text afterwards; nullopt, and a message, if it cannot be written.
std::optional<std::string> FixFile(const std::string& path, const std::string& source,
                                   const CheckArguments& arguments, CheckTotals& totals) {
  const model::FixedText done = model::ApplyFixes(
      source, arguments.unsafe_fixes ? model::FixScope::kUnsafeToo : model::FixScope::kSafe);
  for (const model::RejectedFix& rejected : done.rejected) {
    std::fprintf(stderr, "prejoin check: %s:%d: the fix of %s was rolled back: %s\n", path.c_str(),
                 rejected.finding.at.line, rejected.finding.rule.c_str(), rejected.why.c_str());
  }
  totals.fixed += done.fixed;
  if (arguments.dry_run) {
    Print(model::UnifiedDiff(path, source, done.text));
  } else if (done.text != source && !ReplaceFile(path, done.text)) {
    return std::nullopt;
  }
  return done.text;
}

// The findings of one file, printed for people and kept for programs.
model::CheckedFile CheckOne(const std::string& path, const std::string& source,
                            const CheckArguments& arguments, CheckTotals& totals) {
  const model::ReadModelResult read = model::ReadModel(source);
  model::CheckedFile file{path, model::CheckModel(read)};
  const bool show = arguments.for_people() && !arguments.dry_run;
  for (const model::Diagnostic& finding : file.diagnostics) {
    totals.errors += finding.severity == model::Severity::kError ? 1 : 0;
    totals.warnings += finding.severity == model::Severity::kWarning ? 1 : 0;
    totals.fixable += model::FixWithin(finding, model::FixScope::kUnsafeToo) != nullptr ? 1 : 0;
    if (show) {
      PrintFolded(model::RenderDiagnostic(path, source, finding) + "\n");
    }
  }
  if (read.ok && show) {
    totals.guessed = !ReportAssumptions(read.model, {}, arguments.assumptions) || totals.guessed;
  }
  return file;
}

std::string Summary(const CheckTotals& totals, const CheckArguments& arguments) {
  const std::string found = CountedText(totals.files, "file") + ", " +
                            CountedText(totals.errors, "error") + ", " +
                            CountedText(totals.warnings, "warning");
  if (!arguments.fix) {
    return found + "\n";
  }
  const bool done = !arguments.dry_run;
  std::string out =
      CountedText(totals.fixed, "finding") + (done ? " fixed; " : " would be fixed; ");
  out += found + (done ? " left" : " would be left");
  if (!arguments.unsafe_fixes && totals.fixable > 0) {
    out += "; --unsafe-fixes has fixes for " + std::to_string(totals.fixable);
  }
  return out + "\n";
}

// Output for programs is on standard output alone, so what people read about fixes is on standard error then.
void PrintSummary(const CheckTotals& totals, const CheckArguments& arguments) {
  if (arguments.for_people() && !arguments.dry_run) {
    Print(Summary(totals, arguments));
  } else if (arguments.fix) {
    std::fputs(Summary(totals, arguments).c_str(), stderr);
  }
}

// A case for each finding, and one for each file without any.
std::vector<CiCase> CasesOf(const std::vector<model::CheckedFile>& checked) {
  using Level = CiCase::Level;
  std::vector<CiCase> cases;
  for (const model::CheckedFile& file : checked) {
    for (const model::Diagnostic& finding : file.diagnostics) {
      const Level level = finding.severity == model::Severity::kError     ? Level::kError
                          : finding.severity == model::Severity::kWarning ? Level::kWarning
                                                                          : Level::kNotice;
      cases.push_back(
          {file.path, finding.at.line, finding.at.column, finding.rule, level, finding.message});
    }
    if (file.diagnostics.empty()) {
      cases.push_back({file.path, 0, 0, "check", Level::kFine, {}});
    }
  }
  return cases;
}

bool IsUsable(const CheckArguments& arguments) {
  if (arguments.files.empty()) {
    std::fputs("prejoin check: name a model file\n", stderr);
    return false;
  }
  if (arguments.fix && !arguments.dry_run && std::ranges::count(arguments.files, "-") > 0) {
    std::fputs("prejoin check: --fix cannot write to standard input; add --dry-run\n", stderr);
    return false;
  }
  if (arguments.dry_run && !arguments.for_people()) {
    std::fputs(
        "prejoin check: --dry-run prints a diff and cannot be combined with --json or "
        "--sarif\n",
        stderr);
    return false;
  }
  return true;
}

ExitCode Check(const CheckArguments& arguments) {
  if (!arguments.explain.empty()) {
    return Explain(arguments.explain);
  }
  if (!IsUsable(arguments)) {
    return kCouldNotRun;
  }
  std::vector<model::CheckedFile> checked;
  CheckTotals totals{.files = arguments.files.size()};
  for (const std::string& path : arguments.files) {
    auto source = ReadWholeFile(path);
    if (source && arguments.fix) {
      source = FixFile(path, *source, arguments, totals);
    }
    if (!source) {
      return kCouldNotRun;
    }
    checked.push_back(CheckOne(path, *source, arguments, totals));
  }
  if (arguments.json) {
    Print(model::CheckJson(checked));
  }
  if (arguments.sarif) {
    Print(model::SarifReport(checked));
  }
  PrintSummary(totals, arguments);
  if (const ExitCode told = ReportToCi(arguments.ci, "check", CasesOf(checked)); told != kFine) {
    return told;
  }
  const bool strict = arguments.assumptions.strict && (totals.warnings > 0 || totals.guessed);
  return totals.errors > 0 || strict ? kAnswerIsNo : kFine;
}

}  // namespace

void AddCheck(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Check,
      {"check", "Lint a model and suggest fixes.",
       "Example:\n  prejoin check school.prejoin\n  prejoin check --explain PJ101\n  prejoin check "
       "--fix --dry-run school.prejoin\n\nExit codes: 0 no errors, 1 errors, 2 could not run. With "
       "--fix they are about the model after the fixes."});
  verb->add_option("FILE", arguments->files, "Model files");
  verb->add_option("--explain", arguments->explain,
                   "Explain a rule, such as PJ101; `all` lists every rule");
  auto* fix = verb->add_flag(
      "--fix", arguments->fix,
      "Apply the fixes that change neither the design nor its cost, and report the rest. A fix "
      "that would leave more errors is rolled back");
  verb->add_flag("--dry-run", arguments->dry_run,
                 "With --fix: print the changes as a unified diff and write nothing")
      ->needs(fix);
  verb->add_flag("--unsafe-fixes", arguments->unsafe_fixes,
                 "With --fix: also apply fixes that change keys, indexes, counts or costs")
      ->needs(fix);
  verb->add_flag("--json", arguments->json, "Print the findings as JSON");
  verb->add_flag("--sarif", arguments->sarif, "Print the findings as SARIF 2.1.0");
  AddCiOptions(*verb, arguments->ci);
  AddAssumptionOptions(*verb, arguments->assumptions,
                       "Also fail on warnings and on figures that the model does not state");
}

}  // namespace prejoin::cli
