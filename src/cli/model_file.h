// What the verbs for model files share: reading them, writing results, telling a terminal from a
// pipe.
#ifndef PREJOIN_CLI_MODEL_FILE_H_
#define PREJOIN_CLI_MODEL_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "model/schema/read_model.h"

namespace prejoin::cli {

// Nullopt, and a message on stderr, if it cannot be read. "-" is standard input.
std::optional<std::string> ReadWholeFile(const std::string& path);
bool WriteWholeFile(const std::string& path, const std::string& text);

// A model that read without errors; else prints what is wrong and gives nullopt.
struct LoadedModel {
  std::string path;
  std::string source;
  model::ReadModelResult read;
};
std::optional<LoadedModel> LoadModel(const std::string& path, ExitCode& exit_code);

void Print(const std::string& text);
// For people: long lines are folded to the width of the terminal, or to 80 columns.
void PrintFolded(const std::string& text);
bool ErrorsGoToTerminal();

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_MODEL_FILE_H_
