// The way from a verb's name on the command line to its function, the same for every verb with arguments, and checks of its numbers.
#ifndef PREJOIN_CLI_NEW_VERB_H_
#define PREJOIN_CLI_NEW_VERB_H_

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "cli/verb.h"

namespace prejoin::cli {

struct VerbText {
  const char* name;
  const char* about;  // One sentence.
  std::string below;  // Examples, exit codes: what --help says last.
};

// Options are added to `verb` and write into `arguments`; both live as long as the program.
template <class Arguments>
struct NamedVerb {
  CLI::App* verb;
  Arguments* arguments;
};

// A verb that calls `run` with its arguments when the command line names it.
template <class Arguments>
NamedVerb<Arguments> NewVerb(CLI::App& program, ExitCode& exit_code,
                             ExitCode (*run)(const Arguments&), const VerbText& text) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = program.add_subcommand(text.name, text.about);
  verb->footer(text.below);
  verb->callback([arguments, run, &exit_code] { exit_code = run(*arguments); });
  return {verb, arguments.get()};
}

// Checks of numbers. CLI11's own accept "nan", which is neither below nor above anything.
inline CLI::Validator NotNan() {
  return CLI::Validator(
      [](std::string& text) {
        double number = 0;
        const bool is_nan = CLI::detail::lexical_cast(text, number) && std::isnan(number);
        return is_nan ? "Value " + text + " is not a number" : std::string();
      },
      "");
}

inline CLI::Validator PositiveNumber() { return CLI::PositiveNumber & NotNan(); }
inline CLI::Validator NonNegativeNumber() { return CLI::NonNegativeNumber & NotNan(); }
inline CLI::Validator NumberFrom(double min, double max) {
  return CLI::Range(min, max) & NotNan();
}

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_NEW_VERB_H_
