// `prejoin fmt`: one layout for every model file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"
#include "model/schema/model_json.h"
#include "model/syntax/formatter.h"

namespace prejoin::cli {
namespace {

struct FmtArguments {
  std::vector<std::string> files;
  bool check = false;
  bool to_stdout = false;
  bool json = false;
};

ExitCode Fmt(const FmtArguments& arguments) {
  ExitCode code = kFine;
  ExitCode worst = kFine;
  JsonOfFiles json(arguments.files.size());
  for (const std::string& path : arguments.files) {
    const auto loaded = LoadModel(path, code);
    if (!loaded && !arguments.json) {
      return code;
    }
    if (!loaded) {
      json.AddFailure(path);
      worst = std::max(worst, code);
      continue;
    }
    if (arguments.json) {
      json.Add(path, model::ModelJson(loaded->read.model));
      continue;
    }
    const std::string formatted = model::FormatTree(loaded->read.tree);
    if (arguments.to_stdout || path == "-") {
      Print(formatted);
    } else if (formatted != loaded->source && arguments.check) {
      std::printf("%s is not formatted\n", path.c_str());
      code = kAnswerIsNo;
    } else if (formatted != loaded->source && !WriteWholeFile(path, formatted)) {
      return kCouldNotRun;
    }
  }
  if (arguments.json) {
    json.PrintAll();
  }
  return std::max(code, worst);
}

}  // namespace

void AddFmt(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Fmt,
              {"fmt", "Format model files in place and keep their comments.",
               "Example:\n  prejoin fmt school.prejoin\n  prejoin fmt --json school.prejoin"});
  verb->add_option("FILE", arguments->files, "Model files; - is standard input")->required();
  verb->add_flag("--check", arguments->check, "Change nothing; exit 1 if a file is not formatted");
  verb->add_flag("--stdout", arguments->to_stdout, "Print instead of writing");
  verb->add_flag(
      "--json", arguments->json,
      "Print the model as JSON instead; several files give one array with the path in `file`");
}

}  // namespace prejoin::cli
