// Shared by the verbs for model files: reading them, writing results, telling a terminal from a
// pipe.
#ifndef PREJOIN_CLI_MODEL_FILE_H_
#define PREJOIN_CLI_MODEL_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "cli/verb.h"
#include "model/bind/read_model.h"
#include "model/cost/cost.h"

namespace CLI {
class App;
}

namespace prejoin::cli {

// Nullopt, and a message on stderr, if it cannot be read. "-" is standard input.
std::optional<std::string> ReadWholeFile(const std::string& path);
bool WriteWholeFile(const std::string& path, const std::string& text);
// Writes beside the file and renames, so that a reader sees the old text or the new one. Keeps the file's permissions and
// follows symbolic links. False, and a message on stderr, if that fails; the file is then as it was.
bool ReplaceFile(const std::string& path, const std::string& text);

// A model that read without errors; else prints what is wrong and gives nullopt.
struct LoadedModel {
  std::string path;
  std::string source;
  model::ReadModelResult read;
};
std::optional<LoadedModel> LoadModel(const std::string& path, ExitCode& exit_code);

// The price file of `--prices` and `--region`; the defaults without one. Nullopt, and a message, if it cannot be read.
struct PriceArguments {
  std::string file;
  std::string region;
};
void AddPriceOptions(CLI::App& verb, PriceArguments& arguments);
std::optional<model::Prices> LoadPrices(const PriceArguments& arguments);

// Two designs and the prices that both are counted with: of `OLD NEW` and the options for prices.
struct TwoModelsArguments {
  std::string before;
  std::string after;
  PriceArguments prices;
};
struct TwoModels {
  LoadedModel before;
  LoadedModel after;
  model::Prices prices;
};
void AddTwoModels(CLI::App& verb, TwoModelsArguments& arguments);
std::optional<TwoModels> LoadTwoModels(const TwoModelsArguments& arguments, ExitCode& exit_code);

// `--strict` and `--assumptions`.
struct AssumptionArguments {
  bool strict = false;
  bool all = false;

  // A refusal names everything that has to be said.
  model::AssumptionList List() const {
    return all || strict ? model::AssumptionList::kAll : model::AssumptionList::kThatMatter;
  }
};
void AddAssumptionOptions(CLI::App& verb, AssumptionArguments& arguments, const char* strict_help);

// Lists what was assumed; with `strict`, as a refusal, and false if anything was.
bool ReportAssumptions(const model::Model& model, const model::Prices& prices,
                       const AssumptionArguments& arguments);

// The JSON of a verb that takes several files: for one file its document as it is; for several one array, in which each document
// has the name of its file as first member. Single thread.
class JsonOfFiles {
 public:
  explicit JsonOfFiles(std::size_t files) : several_(files > 1) {}

  // `document` is an object, as json::IndentedWriter writes it.
  void Add(const std::string& path, const std::string& document);
  // The reason is on standard error already; programs find the file all the same.
  void AddFailure(const std::string& path);
  std::size_t count() const { return count_; }
  void PrintAll() const;

 private:
  const bool several_;
  std::size_t count_ = 0;
  std::string out_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_MODEL_FILE_H_
