// Words for a person whose command line cannot be understood.
#ifndef PREJOIN_CLI_USAGE_ERROR_H_
#define PREJOIN_CLI_USAGE_ERROR_H_

#include <string>
#include <vector>

#include "cli/verb.h"
#include "prejoin/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace prejoin::cli {

// One paragraph for stderr: the verb, what is wrong in plain words, the nearest name that exists.
// `arguments` are those of the program, without its own name.
std::string UsageError(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments);

// Prints `prejoin VERB: message` to stderr, and gives the exit code for it.
ExitCode CouldNotRun(const char* verb, const Error& error);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_USAGE_ERROR_H_
