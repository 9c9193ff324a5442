#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/verb.h"
#include "cli/version.h"

namespace {

using prejoin::cli::ExitCode;

constexpr prejoin::cli::AddVerb kVerbs[] = {
    prejoin::cli::AddServe,
    prejoin::cli::AddCheck,
    prejoin::cli::AddFmt,
    prejoin::cli::AddProve,
    prejoin::cli::AddCost,
    prejoin::cli::AddExplain,
    prejoin::cli::AddAdvise,
    prejoin::cli::AddChart,
    prejoin::cli::AddApply,
    prejoin::cli::AddExport,
    prejoin::cli::AddImport,
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App program{"Prejoin: a DynamoDB-compatible database and design bench.", "prejoin"};
  program.set_version_flag("--version", prejoin::cli::Version());
  program.require_subcommand(1);
  program.footer(
      "Example:\n  prejoin serve --memory --port 8000\n  aws dynamodb list-tables --endpoint-url "
      "http://127.0.0.1:8000\n\n`prejoin VERB --help` explains each verb. Exit codes: 0 fine, 1 "
      "the answer is no, 2 could not run.");
  ExitCode exit_code = prejoin::cli::kFine;
  for (const prejoin::cli::AddVerb add : kVerbs) add(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    // Either there is no such verb, or the verb lacks something, and then its own help is wanted.
    const auto verbs = program.get_subcommands();
    if (!verbs.empty()) {
      std::fprintf(stderr, "prejoin %s: %s\n\n%s", verbs[0]->get_name().c_str(), error.what(),
                   verbs[0]->help().c_str());
      return prejoin::cli::kCouldNotRun;
    }
    if (argc > 1) std::fprintf(stderr, "prejoin: there is no verb '%s'\n", argv[1]);
    std::fputs(program.help().c_str(), stderr);
    return prejoin::cli::kCouldNotRun;
  } catch (const CLI::ParseError& error) {
    // Also how the library ends --help and --version, with its code 0.
    return program.exit(error) == 0 ? prejoin::cli::kFine : prejoin::cli::kCouldNotRun;
  }
  return exit_code;
}
