#include "gen/java/java.h"

#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace java {
namespace {

std::string Readme(const Program& program) {
  Code example = NewCode();
  example.Line("var patterns = new Patterns(DynamoDbClient.create());");
  if (const PatternFunction* pattern = PatternToShow(program)) {
    std::vector<std::string> arguments;
    for (const model::Parameter& parameter : pattern->parameters) {
      if (pattern->pattern->examples.empty()) {
        continue;
      }
      for (const auto& [name, value] : pattern->pattern->examples[0].arguments) {
        if (name.text == parameter.name) {
          arguments.push_back(Java().Literal(value));
        }
      }
    }
    example.Line("System.out.println(patterns." + Method(pattern->name) + "(" +
                 Join(arguments, ", ") + "));");
  }
  std::string text = example.text();
  text.pop_back();
  return ReadmeText(program, {"Java", "java", "software.amazon.awssdk:dynamodb", "java", text,
                              [](const std::string& name) { return Method(name); }});
}

// A support file in the package of the model.
std::string Support(const Program& program, const std::string& name) {
  std::string text(SupportFile("java/" + name));
  const std::string package = PackageName(program);
  for (const std::string_view head : {"package ", "import static "}) {
    const std::string from = std::string(head) + "generated";
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
      text.replace(at, from.size(), std::string(head) + package);
    }
  }
  return "// " + HeaderText(program) + "\n\n" + text;
}

}  // namespace
}  // namespace java

std::vector<GeneratedFile> GenerateJava(const Program& program) {
  std::vector<GeneratedFile> files = java::EntityFiles(program);
  Code patterns = java::NewCode();
  patterns.In();
  for (const PatternFunction& pattern : program.patterns) {
    java::PatternCode(pattern, true, patterns);
  }
  files.push_back(
      {"Patterns.java",
       java::DatabaseClass(program, "Patterns", "The access patterns. Thread-safe.",
                           patterns.text(), {"ItemValues", "KeyParts", "Keys", "ReadSupport"})});
  Code writes = java::NewCode();
  writes.In();
  java::WritesCode(program, writes);
  files.push_back(
      {"Writes.java",
       java::DatabaseClass(
           program, "Writes", "The writes; a refused one throws WriteRefused. Thread-safe.",
           writes.text(),
           {"EntityItems", "ItemValues", "KeyParts", "Keys", "ReadSupport", "WriteSupport"})});
  for (const char* name : {"InvalidKeyPart.java", "ItemValues.java", "KeyParts.java", "Page.java",
                           "ReadSupport.java", "WriteRefused.java", "WriteSupport.java"}) {
    files.push_back({name, java::Support(program, name)});
  }
  files.push_back({"README.md", java::Readme(program)});
  return files;
}

}  // namespace prejoin::gen
