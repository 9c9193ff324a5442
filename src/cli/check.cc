// `prejoin check`: lints model files.
#include "model/check/check.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/check/all_rules.h"
#include "model/syntax/figure_text.h"

namespace prejoin::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string explain;
  bool json = false;
  bool sarif = false;
  AssumptionArguments assumptions;
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

ExitCode Check(const CheckArguments& arguments) {
  if (!arguments.explain.empty()) {
    return Explain(arguments.explain);
  }
  if (arguments.files.empty()) {
    std::fputs("prejoin check: name a model file\n", stderr);
    return kCouldNotRun;
  }
  std::vector<model::CheckedFile> checked;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  bool guessed = false;
  for (const std::string& path : arguments.files) {
    const auto source = ReadWholeFile(path);
    if (!source) {
      return kCouldNotRun;
    }
    const model::ReadModelResult read = model::ReadModel(*source);
    model::CheckedFile file{path, model::CheckModel(read)};
    for (const model::Diagnostic& finding : file.diagnostics) {
      errors += finding.severity == model::Severity::kError ? 1 : 0;
      warnings += finding.severity == model::Severity::kWarning ? 1 : 0;
      if (!arguments.json && !arguments.sarif) {
        PrintFolded(model::RenderDiagnostic(path, *source, finding) + "\n");
      }
    }
    if (read.ok && !arguments.json && !arguments.sarif) {
      guessed = !ReportAssumptions(read.model, {}, arguments.assumptions) || guessed;
    }
    checked.push_back(std::move(file));
  }
  if (arguments.json) {
    Print(model::CheckJson(checked));
  }
  if (arguments.sarif) {
    Print(model::SarifReport(checked));
  }
  if (!arguments.json && !arguments.sarif) {
    const auto counted = [](std::size_t count, const char* what) {
      return model::Counted(static_cast<double>(count), what);
    };
    Print(counted(arguments.files.size(), "file") + ", " + counted(errors, "error") + ", " +
          counted(warnings, "warning") + "\n");
  }
  return errors > 0 || (arguments.assumptions.strict && (warnings > 0 || guessed)) ? kAnswerIsNo
                                                                                   : kFine;
}

}  // namespace

void AddCheck(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Check,
      {"check", "Lint a model and suggest fixes.",
       "Example:\n  prejoin check school.prejoin\n  prejoin check --explain PJ101\n\nExit codes: 0 "
       "no errors, 1 errors, 2 could not run."});
  verb->add_option("FILE", arguments->files, "Model files");
  verb->add_option("--explain", arguments->explain,
                   "Explain a rule, such as PJ101; `all` lists every rule");
  verb->add_flag("--json", arguments->json, "Print the findings as JSON");
  verb->add_flag("--sarif", arguments->sarif, "Print the findings as SARIF 2.1.0");
  AddAssumptionOptions(*verb, arguments->assumptions,
                       "Also fail on warnings and on figures that the model does not state");
}

}  // namespace prejoin::cli
