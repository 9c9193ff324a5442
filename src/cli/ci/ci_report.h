// Output for CI systems: a JUnit file with one case per check, and GitHub annotations on the lines of a pull request.
#ifndef PREJOIN_CLI_CI_CI_REPORT_H_
#define PREJOIN_CLI_CI_CI_REPORT_H_

#include <string>
#include <vector>

#include "cli/verb.h"

namespace prejoin::cli {

struct CiCase {
  std::string file;
  int line = 0;  // 0: the whole file.
  int column = 0;
  std::string name;  // "PJ101", "pattern Recent"
  enum class Level { kFine, kNotice, kWarning, kError } level = Level::kFine;
  std::string message;
};

struct CiArguments {
  std::string junit;
  std::string summary;
  bool github = false;
};

void AddCiOptions(CLI::App& verb, CiArguments& arguments);

// Errors are failures; everything else passes.
std::string JUnitReport(const std::string& suite, const std::vector<CiCase>& cases);
// Workflow commands: "::error file=…,line=…,title=…::message".
std::string GitHubAnnotations(const std::vector<CiCase>& cases);

// A heading, one line of counts, and a table of everything that is not fine.
std::string MarkdownSummary(const std::string& suite, const std::vector<CiCase>& cases);

// Writes the requested outputs; kCouldNotRun, and a message, if the file cannot be written.
ExitCode ReportToCi(const CiArguments& arguments, const std::string& suite,
                    const std::vector<CiCase>& cases);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CI_CI_REPORT_H_
