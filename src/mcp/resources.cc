#include "mcp/resources.h"

#include "model/check/all_rules.h"
#include "model/schema/strategy.h"
#include "embedded/embedded_file.h"

namespace prejoin::mcp {
namespace {

constexpr std::string_view kExamples = "prejoin://examples/";
constexpr std::string_view kSuffix = ".prejoin";

std::string RulesText() {
  std::string out = "# Rules of `prejoin check`\n\n";
  for (const model::Rule& rule : model::AllRules()) {
    out += "- **" + std::string(rule.id) + "** " + std::string(rule.summary) + ". " +
           std::string(rule.suggestion) + "\n";
  }
  return out;
}

std::string StrategiesText() {
  std::string out = "# Strategies for relationships\n\n`advise` compares them; a model chooses one by `strategy`.\n";
  for (const model::Strategy& one : model::AllStrategies()) {
    out += "\n## " + std::string(one.name) + " (" + std::string(one.pattern) + ")\n\n" +
           std::string(one.shape) + "\n\nUse when " + std::string(one.use_when) + "\n\nAvoid when " +
           std::string(one.avoid_when) + "\n";
  }
  return out;
}

}  // namespace

std::string_view TypeOfResource(std::string_view uri) {
  return uri.starts_with(kExamples) ? "text/plain" : "text/markdown";
}

std::vector<Resource> ListResources() {
  std::vector<Resource> all = {{"prejoin://grammar", "grammar",
                                "The model language, statement by statement", "text/markdown"},
                               {"prejoin://rules", "rules",
                                "The rules of the linter and how to fix their findings", "text/markdown"},
                               {"prejoin://strategies", "strategies",
                                "Ways to store relationships, and when each fits", "text/markdown"}};
  for (const embedded::EmbeddedFile& file : embedded::ExampleFiles()) {
    const std::string name(file.path.substr(0, file.path.size() - kSuffix.size()));
    all.push_back({std::string(kExamples) + name, name, "An example model", "text/plain"});
  }
  return all;
}

std::optional<std::string> ReadResource(std::string_view uri) {
  if (uri == "prejoin://rules") {
    return RulesText();
  }
  if (uri == "prejoin://strategies") {
    return StrategiesText();
  }
  const embedded::EmbeddedFile* file = nullptr;
  if (uri == "prejoin://grammar") {
    file = embedded::FindFile(embedded::GuideFiles(), "grammar.md");
  } else if (uri.starts_with(kExamples)) {
    const std::string path = std::string(uri.substr(kExamples.size())) + std::string(kSuffix);
    file = embedded::FindFile(embedded::ExampleFiles(), path);
  }
  if (file == nullptr) {
    return std::nullopt;
  }
  return embedded::Decompress(*file);
}

}  // namespace prejoin::mcp
