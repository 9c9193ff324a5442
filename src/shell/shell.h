// Statements and commands, one after the other.
#ifndef PREJOIN_SHELL_SHELL_H_
#define PREJOIN_SHELL_SHELL_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/reader.h"
#include "model/prove/backend.h"
#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::shell {

// An operation of the DynamoDB API with its JSON body.
using Caller =
    std::function<Result<std::string>(const std::string& operation, const std::string& body)>;

struct ShellSettings {
  Caller call;
  const model::Model* model = nullptr;  // Null: none was given.
  model::Backend* backend = nullptr;    // Runs the patterns of the model.
  std::function<void(const std::string& text)> print;
  // Asked after each page of a large answer; false ends it.
  std::function<bool()> more;
  std::size_t page_rows = 20;
};

// Single thread.
class Shell {
 public:
  explicit Shell(ShellSettings settings) : settings_(std::move(settings)) {}

  // A whole statement without its semicolon, or a command that begins with a backslash. False: the
  // shell ends. What goes wrong is printed, and the shell goes on.
  bool Run(const std::string& text);

  // Words that may stand behind `before`, beginning with `word` in any case.
  std::vector<std::string> Complete(const std::string& before, const std::string& word);

 private:
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
  Result<Page> NextPage(const std::string& statement, const std::string& token);
  const std::vector<std::string>& Tables();
  // The key attributes of a table: partition, then sort if it has one.
  std::vector<std::string> KeysOf(const std::string& table);

  const ShellSettings settings_;
  std::optional<std::vector<std::string>> tables_;  // For completion; asked once.
  std::vector<std::string> attributes_;             // Seen in answers.
};

// True when a statement that spans lines is whole: a semicolon outside quotes, or a command. The
// semicolon is removed.
bool TakeStatement(std::string& text);

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_SHELL_H_
