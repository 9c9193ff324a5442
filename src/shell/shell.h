// Statements and commands, one after the other.
#ifndef PREJOIN_SHELL_SHELL_H_
#define PREJOIN_SHELL_SHELL_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "model/prove/backend.h"
#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "shell/output.h"

namespace prejoin::shell {

// An operation of the DynamoDB API with its JSON body.
using CallDatabase =
    std::function<Result<std::string>(const std::string& operation, const std::string& body)>;

struct ShellSettings {
  CallDatabase call;
  const model::Model* model = nullptr;  // Null: none was given.
  model::Backend* backend = nullptr;    // Runs the patterns of the model.
  std::function<void(const std::string& text)> print;
  std::function<void(const std::string& text)> print_error;
  // True if a person asked to end the statement since this was last asked.
  std::function<bool()> interrupted;
  // Asked after each page of a large answer; false ends it.
  std::function<bool()> more;
  std::size_t page_rows = 20;
  std::size_t width = 0;    // Columns of the terminal; 0: lines may be as long as they are.
  OutputFormat format = OutputFormat::kTable;
  // Waits so many seconds; false if a person asked to end. May be empty: then nothing is watched.
  std::function<bool(double seconds)> wait;
  bool piped = false;       // Input is not interactive: messages name the statement.
};

// Single thread.
class Shell {
 public:
  explicit Shell(ShellSettings settings)
      : settings_(std::move(settings)), format_(settings_.format) {}

  // A whole statement without its semicolon, or a command that begins with a backslash. False: the
  // shell ends. Errors are printed, and the shell continues.
  bool Run(const std::string& text);

  // True if any statement could not be run.
  bool failed() const { return failed_; }

  // Words that may follow `before`, beginning with `word` in any case.
  std::vector<std::string> Complete(const std::string& before, const std::string& word);

 private:
  std::vector<std::string> ParametersBehind(std::string_view run) const;
  struct Page {
    std::vector<Item> items;
    std::string next_token;
    double units = 0;
  };

  void RunStatement(const std::string& statement);
  void RunCommand(const std::string& text);
  void Describe(const std::string& table);
  void Explain(const std::string& what);
  void RunPattern(const std::string& arguments);
  void CallOperation(const std::string& arguments);
  void Fail(const Error& error);
  void Refuse(const std::string& message);
  void Draw(const std::vector<Item>& items, const std::vector<std::string>& keys);
  // \x, \format, \timing and \watch; false if the command is none of them.
  bool SetDisplay(const std::string& command, const std::string& argument);
  void Watch(const std::string& argument);
  void LearnAttributes(const std::vector<Item>& items);
  // Prints the number of rows at the end of an answer.
  void PrintTally(std::size_t rows, const std::string& cost, std::string_view ending);
  Result<Page> NextPage(const std::string& statement, const std::string& token, std::size_t limit);
  const std::vector<std::string>& Tables();
  // The key attributes of a table: partition, then sort if it has one.
  std::vector<std::string> KeysOf(const std::string& table);
  const std::vector<std::string>& KeysIn(const std::string& statement);

  const ShellSettings settings_;
  std::optional<std::vector<std::string>> tables_;  // For completion; asked once.
  std::map<std::string, std::vector<std::string>> keys_;  // By table.
  std::vector<std::string> attributes_;             // Seen in answers.
  std::string running_;                             // The statement or command.
  std::string last_;                                // The last one that gave rows.
  OutputFormat format_ = OutputFormat::kTable;
  bool timing_ = false;
  bool failed_ = false;
};

// The first statement in what was typed, without its semicolon, or a command with the rest of the line; it
// is taken out of the text. Nullopt: more lines are needed.
std::optional<std::string> TakeStatement(std::string& text);

// True if a line is a command, also where a statement has begun that does not end.
bool IsCommand(std::string_view line);

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_SHELL_H_
