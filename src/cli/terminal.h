// Standard output as a person sees it: colours and the terminal's width there, plain text in a pipe.
#ifndef PREJOIN_CLI_TERMINAL_H_
#define PREJOIN_CLI_TERMINAL_H_

#include <cstddef>
#include <cstdio>
#include <string>

namespace CLI {
class App;
}

namespace prejoin::cli {

// Adds `--color auto|always|never` for every verb. `auto` colours a terminal unless NO_COLOR is set.
void AddColorOption(CLI::App& program);

std::size_t TerminalColumns();

// Prints the text as it is.
void PrintTo(std::FILE* file, const std::string& text);
inline void Print(const std::string& text) { PrintTo(stdout, text); }

// Prints a report: long lines are folded, styles become colours or go.
void PrintFoldedTo(std::FILE* file, const std::string& text);
inline void PrintFolded(const std::string& text) { PrintFoldedTo(stdout, text); }

bool ErrorsGoToTerminal();

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_TERMINAL_H_
