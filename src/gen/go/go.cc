#include "gen/go/go.h"

#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace go {
namespace {

std::string Readme(const Program& program) {
  Code example = NewCode();
  example.Line("config, err := config.LoadDefaultConfig(ctx)");
  example.Block("if err != nil {", "}", [&] { example.Line("return err"); });
  example.Line("client := " + PackageName(program) + ".New(dynamodb.NewFromConfig(config))");
  if (const PatternFunction* pattern = PatternToShow(program)) {
    std::vector<std::string> arguments;
    if (!pattern->pattern->examples.empty()) {
      for (const auto& [name, value] : pattern->pattern->examples[0].arguments) {
        arguments.push_back(Field(name.text) + ": " + Go().Literal(value));
      }
    }
    example.Line("answer, err := client." + Field(pattern->name) + "(ctx" +
                 (arguments.empty() ? ""
                                    : ", " + PackageName(program) + "." + Field(pattern->name) +
                                          "Args{" + Join(arguments, ", ") + "}") +
                 ")");
  }
  std::string text = example.text();
  text.pop_back();
  return ReadmeText(program,
                    {"Go", "go",
                     "go get github.com/aws/aws-sdk-go-v2/config "
                     "github.com/aws/aws-sdk-go-v2/service/dynamodb",
                     "go", text, [](const std::string& name) { return "client." + Field(name); }});
}

// A support file with the package's name, and the header of all files.
std::string Support(const Program& program, const char* name) {
  std::string text(SupportFile("go/" + std::string(name)));
  return Header(program) + text.substr(text.find("\n\nimport (") + 1);
}

}  // namespace
}  // namespace go

std::vector<GeneratedFile> GenerateGo(const Program& program) {
  Code entities = go::NewCode();
  go::EntitiesCode(program, entities);
  Code patterns = go::NewCode();
  for (const PatternFunction& pattern : program.patterns) {
    go::PatternCode(pattern, true, patterns);
  }
  Code writes = go::NewCode();
  go::WritesCode(program, writes);
  return {
      {"entities.go", go::File(program, entities.text())},
      {"patterns.go", go::File(program, patterns.text())},
      {"writes.go", go::File(program, writes.text())},
      {"reading.go", go::Support(program, "reading.go")},
      {"writing.go", go::Support(program, "writing.go")},
      {"README.md", go::Readme(program)},
  };
}

}  // namespace prejoin::gen
