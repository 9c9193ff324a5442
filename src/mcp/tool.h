// A tool: a name, a schema of its arguments, and a function.
#ifndef PREJOIN_MCP_TOOL_H_
#define PREJOIN_MCP_TOOL_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "prejoin/result.h"

namespace prejoin::mcp {

// An operation of the DynamoDB API with its JSON body; empty function: there is no database.
using CallDatabase =
    std::function<Result<std::string>(const std::string& operation, const std::string& body)>;

struct ToolContext {
  CallDatabase call;
  // The text of a file of the assistant's machine; empty function: files are not read.
  std::function<Result<std::string>(const std::string& path)> read_file;
  bool allow_writes = false;
  std::string version;  // The version of this program, for the head of generated files.
  // Callbacks of the current call; either may be empty. A tool that runs for long reports its progress, and ends
  // early when nobody waits any more.
  std::function<void(const std::string& what)> progress;
  std::function<bool()> cancelled;
};

// Texts as they are, anything else as JSON text. Empty: not given.
class ToolArguments {
 public:
  void Set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }
  const std::string& Get(const std::string& name) const {
    static const std::string kNone;
    const auto found = values_.find(name);
    return found == values_.end() ? kNone : found->second;
  }
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

struct Tool {
  std::string_view name;
  std::string_view description;
  std::string_view properties;  // The schema of the arguments: members of a JSON object.
  // Words that name the arguments that must be given, such as "source|path to". One of `source|path` is enough; if it is the path of a
  // file, the first one is filled with its text. A leading ? makes it optional.
  std::string_view required;
  std::string_view results;  // The schema of the answer: members of a JSON object. Empty: the answer is whatever the database returns.
  bool read_only;            // Never changes data, however it is called.
  // A JSON object, or an error whose message says how to fix it.
  Result<std::string> (*run)(const ToolArguments& arguments, const ToolContext& context);
};

// Longer texts are cut, which the answer says.
inline constexpr std::size_t kAnswerBytesMax = 100'000;

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_TOOL_H_
