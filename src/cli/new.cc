// `prejoin new`: a model and its design from questions.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/prefer_option.h"
#include "cli/print_design.h"
#include "cli/progress.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "design/design.h"
#include "draft/interview/interview.h"
#include "model/chart/chart.h"

namespace prejoin::cli {
namespace {

struct NewArguments {
  std::string file;
  std::string prefer = "cheapest";
  PriceArguments prices;
  bool logical = false;
};

// Answers from standard input, one a line. A person is shown the questions, on standard error, and asked again when an answer
// cannot be read; a file is not.
class Answers {
 public:
  draft::Respondent Respondent() {
    return {[this](const draft::Question& question) { return Ask(question); },
            [this](const std::string& text) {
              if (person_) {
                std::fprintf(stderr, "\n%s\n", text.c_str());
              }
            },
            [this](const std::string& why) {
              if (person_) {
                std::fprintf(stderr, "  %s\n", why.c_str());
              }
              return person_;
            }};
  }

  // Which answer was the last, for files.
  std::string Where() const {
    return person_ || line_ == 0 ? "" : "line " + std::to_string(line_) + ", `" + question_ + "`: ";
  }

 private:
  std::optional<std::string> Ask(const draft::Question& question) {
    question_ = question.text;
    if (person_) {
      const std::string otherwise =
          question.otherwise.empty() ? "" : " [" + question.otherwise + "]";
      std::fprintf(stderr, "%s%s: ", question.text.c_str(), otherwise.c_str());
    }
    std::string answer;
    do {
      if (!std::getline(std::cin, answer)) {
        if (person_) {
          std::fputs("\n", stderr);
        }
        return std::nullopt;
      }
      ++line_;
    } while (!person_ && answer.starts_with('#'));
    return answer;
  }

  const bool person_ = isatty(STDIN_FILENO) == 1;
  std::size_t line_ = 0;
  std::string question_;
};

bool FileExists(const std::string& path) {
  return path != "-" && ::access(path.c_str(), F_OK) == 0;
}

bool WriteModelText(const NewArguments& arguments, const std::string& source) {
  if (arguments.file != "-") {
    return WriteWholeFile(arguments.file, source);
  }
  Print(source);
  return true;
}

ExitCode DesignIt(const NewArguments& arguments, const std::string& source,
                  const model::ReadModelResult& read) {
  const auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    return kCouldNotRun;
  }
  // Whatever happens to the search, the answers are not lost.
  if (arguments.file != "-" && !WriteWholeFile(arguments.file, source)) {
    return kCouldNotRun;
  }
  ProgressLine line;
  design::DesignOptions options;
  options.prices = *prices;
  options.prefer = *design::FindPreference(arguments.prefer);
  options.progress = [&](const std::string& what) { line.Show(what); };
  const auto report = design::MakeDesign(source, read, options);
  line.Clear();
  if (!report) {
    return CouldNotRun("new", report.error());
  }
  // The model goes to standard output if there is no file, and the report to the person.
  PrintDesign(*report, *prices, arguments.file == "-" ? stderr : stdout);
  const design::FoundDesign& best = report->designs[0];
  if (!best.proved) {
    std::fprintf(stderr,
                 "prejoin new: the design is not proved, so only the entities and access patterns "
                 "were written\n");
    if (arguments.file == "-") {
      Print(source);
    }
    return kAnswerIsNo;
  }
  if (!WriteModelText(arguments, best.source)) {
    return kCouldNotRun;
  }
  PrintTo(arguments.file == "-" ? stderr : stdout,
          "\n" + model::DrawChart(best.read.model, model::ChartFormat::kText));
  if (arguments.file != "-") {
    std::fprintf(stderr, "\nThe model is in %s. Edit it and run: prejoin design %s --write\n",
                 arguments.file.c_str(), arguments.file.c_str());
  }
  return report->unserved.empty() ? kFine : kAnswerIsNo;
}

ExitCode RunNew(const NewArguments& arguments) {
  if (FileExists(arguments.file)) {
    return CouldNotRun("new", ValidationError(arguments.file + " exists already; `prejoin design " +
                                              arguments.file + "` designs its tables"));
  }
  Answers answers;
  const auto draft = draft::HoldInterview(answers.Respondent());
  if (!draft) {
    return CouldNotRun("new", ValidationError(answers.Where() + draft.error().message));
  }
  const std::string source = draft::PrintDraft(*draft);
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& diagnostic : read.diagnostics) {
    std::fputs(model::RenderDiagnostic(arguments.file, source, diagnostic).c_str(), stderr);
  }
  if (!read.ok || arguments.logical) {
    if (!WriteModelText(arguments, source)) {
      return kCouldNotRun;
    }
    return read.ok ? kFine : kAnswerIsNo;
  }
  return DesignIt(arguments, source, read);
}

}  // namespace

void AddNew(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, RunNew,
              {"new",
               "Create a model by answering questions about entities and relationships, then "
               "design its tables and prove them.",
               "Examples:\n  prejoin new clinic.prejoin\n  prejoin new clinic.prejoin < "
               "answers.txt\n\nWhen the answers come from a file, write one per line. An empty "
               "line accepts the proposal; lines that begin with # are ignored.\n\nExit codes: 0 "
               "proved, 1 an access pattern is not supported or a proof failed, 2 could not run."});
  verb->add_option("FILE", arguments->file, "Model file to write; - is standard output")
      ->required();
  AddPreferOption(*verb, arguments->prefer);
  AddPriceOptions(*verb, arguments->prices);
  verb->add_flag("--logical", arguments->logical,
                 "Write only the entities and access patterns, without tables");
}

}  // namespace prejoin::cli
