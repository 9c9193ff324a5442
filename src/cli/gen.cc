// `prejoin gen`: code and infrastructure from a model.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "gen/build_program.h"
#include "gen/target.h"
#include "model/syntax/formatter.h"
#include "model/syntax/spelling.h"
#include "model/syntax/text_table.h"

namespace prejoin::cli {
namespace {

namespace files = std::filesystem;

struct GenArguments {
  std::string file;
  std::string target;
  std::string output;
  bool check = false;
  bool strict = false;
};

std::string TargetList() {
  std::string out;
  for (const gen::Target& target : gen::AllTargets()) {
    out += "\n  " + std::string(target.name) +
           std::string(target.name.size() < 16 ? 16 - target.name.size() : 1, ' ') +
           std::string(target.about);
  }
  return out;
}

// Empty if there is no such file.
std::string OnDisk(const files::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Files in the directory that an earlier form of the model made and this one does not: they say so themselves, and are of a kind that the
// target writes. Other targets' files may be beside them.
std::vector<files::path> Stale(const GenArguments& arguments, const gen::Program& program,
                               const std::vector<gen::GeneratedFile>& all) {
  std::set<files::path> known;
  std::set<files::path> folders;
  std::set<files::path> kinds;
  for (const gen::GeneratedFile& file : all) {
    folders.insert((files::path(arguments.output) / file.path).parent_path());
    kinds.insert(files::path(file.path).extension());
  }
  for (const gen::Target& target : gen::AllTargets()) {
    for (const gen::GeneratedFile& file : target.generate(program)) {
      known.insert(files::path(arguments.output) / file.path);
    }
  }
  std::vector<files::path> stale;
  for (const files::path& folder : folders) {
    std::error_code error;
    for (const files::directory_entry& entry : files::directory_iterator(folder, error)) {
      const files::path& path = entry.path();
      if (!known.contains(path) && kinds.contains(path.extension()) &&
          entry.is_regular_file(error) && gen::IsGenerated(path.string(), OnDisk(path), program)) {
        stale.push_back(path);
      }
    }
  }
  std::sort(stale.begin(), stale.end());
  return stale;
}

ExitCode Check(const GenArguments& arguments, const gen::Program& program,
               const std::vector<gen::GeneratedFile>& all) {
  ExitCode code = kFine;
  for (const gen::GeneratedFile& file : all) {
    const files::path path = files::path(arguments.output) / file.path;
    if (files::exists(path) && OnDisk(path) == file.text) {
      continue;
    }
    std::fprintf(stderr, "%s: differs from the generated code\n", path.string().c_str());
    code = kAnswerIsNo;
  }
  for (const files::path& path : Stale(arguments, program, all)) {
    std::fprintf(stderr, "%s: the model no longer makes it\n", path.string().c_str());
    code = kAnswerIsNo;
  }
  if (code != kFine) {
    std::fprintf(stderr, "Run: prejoin gen %s --to %s -o %s\n", arguments.file.c_str(),
                 arguments.target.c_str(), arguments.output.c_str());
  }
  return code;
}

ExitCode WriteAll(const GenArguments& arguments, const gen::Program& program,
                  const std::vector<gen::GeneratedFile>& all) {
  for (const gen::GeneratedFile& file : all) {
    const files::path path = files::path(arguments.output) / file.path;
    std::error_code error;
    files::create_directories(path.parent_path(), error);
    if (error) {
      std::fprintf(stderr, "prejoin gen: cannot generate %s: %s\n",
                   path.parent_path().string().c_str(), error.message().c_str());
      return kCouldNotRun;
    }
    // A file that is right already keeps its time, so that builds have nothing to do.
    if (files::exists(path, error) && OnDisk(path) == file.text) {
      continue;
    }
    if (!WriteWholeFile(path.string(), file.text)) {
      return kCouldNotRun;
    }
  }
  for (const files::path& path : Stale(arguments, program, all)) {
    std::error_code error;
    files::remove(path, error);
    std::fprintf(stderr, "prejoin gen: removed %s, which the model no longer makes\n",
                 path.string().c_str());
  }
  return kFine;
}

// Patterns and writes that the target has no code for, on standard error: a line for each, or a table if nothing may be missing.
bool TellMissing(const gen::Target& target, const gen::Program& program, bool as_table) {
  const std::vector<gen::MissingCode> missing = gen::MissingIn(program, target);
  // Each of them would have the same reason.
  if (!missing.empty() && program.model->tables.empty()) {
    std::fprintf(stderr,
                 "prejoin gen: %s has no tables, so no pattern and no write has code; next: prejoin "
                 "design\n",
                 program.file.c_str());
    return true;
  }
  model::TextTable table({model::Align::kLeft, model::Align::kLeft, model::Align::kLeft});
  table.AddHeading({"missing", "name", "reason"});
  for (const auto& [kind, name, reason] : missing) {
    table.AddRow({kind == gen::MissingCode::Kind::kPattern ? "pattern" : "write", name, reason});
    if (!as_table) {
      std::fprintf(stderr, "prejoin gen: no %s for %s: %s\n",
                   target.policies ? "policy" : "function", name.c_str(), reason.c_str());
    }
  }
  if (as_table && !missing.empty()) {
    PrintFoldedTo(stderr, "prejoin gen: nothing is written, because " +
                              std::to_string(missing.size()) +
                              (missing.size() == 1 ? " function is" : " functions are") +
                              " missing:\n" + table.Render(TerminalColumns(), 2));
  }
  return !missing.empty();
}

ExitCode Gen(const GenArguments& arguments) {
  const gen::Target* target = gen::FindTarget(arguments.target);
  if (target == nullptr) {
    std::vector<std::string> names;
    for (const gen::Target& one : gen::AllTargets()) {
      names.emplace_back(one.name);
    }
    std::fprintf(stderr, "prejoin gen: no target is called %s; %s\nTargets:%s\n",
                 arguments.target.c_str(), model::SpellingHint(arguments.target, names).c_str(),
                 TargetList().c_str());
    return kCouldNotRun;
  }
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const auto program = gen::BuildProgram(
      loaded->read.model, {files::path(arguments.file).filename().string(), PREJOIN_VERSION,
                           model::FormatTree(loaded->read.tree)});
  if (TellMissing(*target, *program, arguments.strict) && arguments.strict) {
    return kAnswerIsNo;
  }
  const std::vector<gen::GeneratedFile> all = target->generate(*program);
  if (arguments.output.empty() || arguments.output == "-") {
    if (all.size() == 1 && !arguments.check) {
      Print(all[0].text);
      return kFine;
    }
    std::fprintf(stderr, "prejoin gen: %s is %zu file%s: name a directory with -o DIRECTORY\n",
                 arguments.target.c_str(), all.size(), all.size() == 1 ? "" : "s");
    return kCouldNotRun;
  }
  return arguments.check ? Check(arguments, *program, all) : WriteAll(arguments, *program, all);
}

}  // namespace

void AddGen(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Gen,
              {"gen", "Generate code and infrastructure for a design.",
               "Targets:" + TargetList() +
                   "\n\nExample:\n  prejoin gen school.prejoin --to typescript -o src/school\n"
                   "  prejoin gen school.prejoin --to typescript -o src/school --check\n"
                   "  prejoin gen school.prejoin --to cloudformation > tables.json"});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  verb->add_option("--to", arguments->target, "Target to generate; see below")->required();
  verb->add_option(
      "-o,--output", arguments->output,
      "Output directory; created if missing. Without it, a target that is one file is printed");
  verb->add_flag("--strict", arguments->strict,
                 "Write nothing and exit with 1 if a pattern or write has no code; print a table "
                 "of what is missing");
  verb->add_flag("--check", arguments->check,
                 "Write nothing; exit with 1 if the files in the directory differ from what would "
                 "be generated");
}

}  // namespace prejoin::cli
