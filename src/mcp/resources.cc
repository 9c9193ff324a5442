#include "mcp/resources.h"

#include "model/check/all_rules.h"
#include "studio/embedded_file.h"

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

}  // namespace

std::vector<Resource> ListResources() {
  std::vector<Resource> all = {{"prejoin://grammar", "grammar",
                                "The model language, statement by statement", "text/markdown"},
                               {"prejoin://rules", "rules",
                                "What the linter looks for, and how to fix it", "text/markdown"}};
  for (const studio::EmbeddedFile& file : studio::ExampleFiles()) {
    const std::string name(file.path.substr(0, file.path.size() - kSuffix.size()));
    all.push_back({std::string(kExamples) + name, name, "An example model", "text/plain"});
  }
  return all;
}

std::optional<std::string> ReadResource(std::string_view uri) {
  if (uri == "prejoin://rules") {
    return RulesText();
  }
  const studio::EmbeddedFile* file = nullptr;
  if (uri == "prejoin://grammar") {
    file = studio::FindFile(studio::GuideFiles(), "grammar.md");
  } else if (uri.starts_with(kExamples)) {
    const std::string path = std::string(uri.substr(kExamples.size())) + std::string(kSuffix);
    file = studio::FindFile(studio::ExampleFiles(), path);
  }
  if (file == nullptr) {
    return std::nullopt;
  }
  return studio::Decompress(*file);
}

}  // namespace prejoin::mcp
