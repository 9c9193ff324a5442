#include <CLI/CLI.hpp>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/serve/local_command.h"
#include "cli/serve/name_lookup.h"
#include "cli/serve/process_limits.h"
#include "cli/terminal.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "cli/version.h"

namespace {

using prejoin::cli::ExitCode;

// The verbs as `prejoin --help` lists them.
struct VerbGroup {
  const char* name;
  std::initializer_list<prejoin::cli::AddVerb> verbs;
};

const VerbGroup kGroups[] = {
    {"Run a database",
     {prejoin::cli::AddServe, prejoin::cli::AddHealth, prejoin::cli::AddShell,
      prejoin::cli::AddStudio, prejoin::cli::AddAccess, prejoin::cli::AddCluster,
      prejoin::cli::AddVerify, prejoin::cli::AddRepair}},
    {"Design tables",
     {prejoin::cli::AddNew, prejoin::cli::AddCheck, prejoin::cli::AddFmt, prejoin::cli::AddProve,
      prejoin::cli::AddCost, prejoin::cli::AddExplain, prejoin::cli::AddAdvise,
      prejoin::cli::AddDesign, prejoin::cli::AddDiff, prejoin::cli::AddChart,
      prejoin::cli::AddSimulate}},
    {"Use a design",
     {prejoin::cli::AddGen, prejoin::cli::AddApply, prejoin::cli::AddMigrate,
      prejoin::cli::AddAudit}},
    {"Import and export",
     {prejoin::cli::AddImport, prejoin::cli::AddExport, prejoin::cli::AddImportModel,
      prejoin::cli::AddInfer}},
    {"Serve editors and assistants", {prejoin::cli::AddLsp, prejoin::cli::AddMcp}},
    {"", {prejoin::cli::AddModelWorker}},  // Hidden: the server starts it.
};

int Run(std::vector<std::string> command_line) {
  CLI::App program{"Prejoin: a DynamoDB-compatible database and design bench.", "prejoin"};
  program.set_version_flag("--version", prejoin::cli::Version());
  program.require_subcommand(1);
  program.footer(
      "Example:\n  prejoin serve --memory --port 8000\n  aws dynamodb list-tables --endpoint-url "
      "http://127.0.0.1:8000\n\n`prejoin VERB --help` explains each verb. Exit codes: 0 success, 1 "
      "a negative result (findings, a failed proof, a refusal), 2 could not run.");
  program.fallthrough();  // So that `prejoin check --color never` finds the option of the program.
  prejoin::cli::AddColorOption(program);
  ExitCode exit_code = prejoin::cli::kFine;
  for (const VerbGroup& group : kGroups) {
    for (const prejoin::cli::AddVerb add : group.verbs) {
      add(program, exit_code);
      program.get_subcommands([](CLI::App*) { return true; }).back()->group(group.name);
    }
  }
  try {
    // The library reads a vector from its end.
    program.parse(std::vector<std::string>(command_line.rbegin(), command_line.rend()));
  } catch (const CLI::ParseError& error) {
    // Also how the library ends --help and --version, with its code 0.
    if (error.get_exit_code() == 0) {
      return program.exit(error);
    }
    const std::string text = prejoin::cli::UsageError(program, error, command_line);
    std::fputs(text.c_str(), stderr);
    return prejoin::cli::kCouldNotRun;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  prejoin::cli::UseBuiltInNameLookup();
  return prejoin::cli::RunWithinLimits([argc, argv] {
    const std::vector<std::string> words(argv, argv + argc);
    const auto translated = prejoin::cli::FromLocalCommand(words);
    if (!translated) {
      std::fprintf(stderr, "prejoin: %s\n", translated.error().message.c_str());
      return static_cast<int>(prejoin::cli::kCouldNotRun);
    }
    return Run(*translated);
  });
}
