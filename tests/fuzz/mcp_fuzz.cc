// Any message to the tools for assistants: the answer is JSON. The first line is the tool with its other arguments as a JSON object,
// the rest is the text that it works on (`source`; for `diff` two models with a line `===` between them). A first line `message`
// makes the rest the whole message.
//
// The client takes long requests back. A database in memory stands behind the tools that ask one.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "engine/engine.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/mcp_server.h"
#include "mcp/tools.h"
#include "prejoin/options.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/model_language.h"
#include "tests/fuzz/request_corpus.h"
#include "wire/service.h"

namespace prejoin::mcp {
namespace {

constexpr double kPatienceSeconds = 0.05;

// As `prejoin serve` answers an assistant: only what reads reaches the database.
struct Assistant {
  std::unique_ptr<engine::Engine> engine = *engine::Engine::Open(Options{});
  wire::Service service{*engine};
  McpServer server{"prejoin 0", Context()};

  Assistant() { service.Handle(kRequestCorpus[0].target, kRequestCorpus[0].body); }

  ToolContext Context() {
    ToolContext context;
    context.call = [this](const std::string& operation,
                          const std::string& body) -> Result<std::string> {
      const wire::Answer answer = service.Handle("DynamoDB_20120810." + operation, body);
      if (answer.status != 200) {
        return ValidationError(answer.body);
      }
      return answer.body;
    };
    return context;
  }
};

std::string_view ArgumentOf(std::string_view tool) {
  if (tool == "import_model") {
    return "text";
  }
  if (tool == "query") {
    return "statement";
  }
  return tool == "rule" ? "rule" : "source";
}

void AppendSources(std::string_view tool, std::string_view text, std::string& out) {
  json::ObjectWriter arguments(out);
  constexpr std::string_view kBetween = "\n===\n";
  const std::size_t middle = text.find(kBetween);
  if (tool == "diff") {
    arguments.String("before", text.substr(0, middle));
    arguments.String(
        "after", middle == std::string_view::npos ? text : text.substr(middle + kBetween.size()));
  } else {
    arguments.String(ArgumentOf(tool), text);
  }
}

std::string MessageOf(const std::string& input) {
  const fuzz::HeadAndBody parts = fuzz::SplitHead(input);
  if (parts.head == "message") {
    return parts.body;
  }
  const std::string_view head = parts.head;
  const std::string_view tool = head.substr(0, head.find(' '));
  std::string message = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)";
  json::AppendString(tool, message);
  message += ",\"arguments\":";
  AppendSources(tool, parts.body, message);
  const std::size_t members = head.find('{');
  if (members != std::string_view::npos && head.find(':') != std::string_view::npos) {
    message.back() = ',';
    message += head.substr(members + 1);
  }
  return message + "}}";
}

std::string HeadFor(std::uint64_t seed) {
  static constexpr std::string_view kMore[] = {
      "{}",
      R"({"seconds":0.1,"prefer":"fewest-indexes","keys":"natural"})",
      R"({"rows":"30"})",
      R"({"scale":"1e3"})",
      R"({"format":"svg"})",
      R"({"format":"text"})",
      R"({"to":"typescript","file":"README.md"})",
      R"({"to":"go"})",
      R"({"to":"rust"})",
      R"({"to":"boto3"})",
      R"({"to":"go-structs"})",
      R"({"from":"sql","queries":"SELECT * FROM a WHERE b = 1"})",
      R"({"pattern":"All0"})",
  };
  const auto tools = AllTools();
  return std::string(fuzz::PickWork(tools, seed)) + " " +
         std::string(kMore[seed / tools.size() % std::size(kMore)]) + "\n";
}

fuzz::InputLanguage Language() {
  fuzz::InputLanguage language = fuzz::ModelLanguage();
  for (std::size_t i = 0; i < language.samples.size(); ++i) {
    language.samples[i].insert(0, HeadFor(i * 5));
  }
  for (const std::string& text : fuzz::SampleFiles("tests/fuzz/corpus/import_fuzz", "", 2048)) {
    language.samples.push_back("import_model {\"from\":\"" + fuzz::SplitHead(text).head + "\"}\n" +
                               fuzz::SplitHead(text).body);
  }
  for (
      const char* text :
      {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})",
       R"({"jsonrpc":"2.0","id":"a","method":"tools/list"})",
       R"({"jsonrpc":"2.0","id":2,"method":"resources/list"})",
       R"({"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"prejoin://grammar"}})",
       R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})",
       R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"query","arguments":{"operation":"Scan","request":{"TableName":"Fuzz"}},"_meta":{"progressToken":1}}})"}) {
    language.samples.push_back("message\n" + std::string(text));
  }
  language.samples.push_back("query {\"limit\":3}\nSELECT * FROM \"Fuzz\" WHERE pk = 'a'");
  language.samples.push_back("rule {}\nPJ101");
  language.make = [](std::uint64_t seed) { return HeadFor(seed) + fuzz::MakeModel(seed / 8); };
  return language;
}

}  // namespace
}  // namespace prejoin::mcp

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const prejoin::fuzz::InputLanguage language = prejoin::mcp::Language();
  return prejoin::fuzz::MutateInLanguage(language, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  static mcp::Assistant assistant;
  const fuzz::InputLimits limits(fuzz::InputLimits::kSearchSecondsMax);
  const std::string message = mcp::MessageOf(input);
  const auto answer = assistant.server.Handle(
      message,
      {.send = [](const std::string&) {},
       .took_back = [&](const std::string&) { return limits.seconds() > mcp::kPatienceSeconds; }});
  if (!answer) {
    return 0;
  }
  if (answer->find("isError") == std::string::npos &&
      answer->find("\"error\"") == std::string::npos) {
    fuzz::InputCount::Get().Accept();
  }
  fuzz::CheckJson(*answer);
  return 0;
}
