#include "gen/typescript/typescript.h"

#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace typescript {

std::string ReadmeFile(const Program& program) {
  Code example;
  example.Line("import { DynamoDBClient } from \"@aws-sdk/client-dynamodb\";");
  example.Line("import { DynamoDBDocumentClient } from \"@aws-sdk/lib-dynamodb\";");
  if (const PatternFunction* pattern = PatternToShow(program)) {
    example.Line("import { " + CamelCase(pattern->name) + " } from \"./index.js\";");
    example.Line();
    example.Line("const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));");
    std::vector<std::string> arguments;
    if (!pattern->pattern->examples.empty()) {
      for (const auto& [name, value] : pattern->pattern->examples[0].arguments) {
        arguments.push_back(CamelCase(name.text) + ": " + TypeScript().Literal(value));
      }
    }
    example.Line("console.log(await " + CamelCase(pattern->name) + "(db" +
                 (arguments.empty() ? "" : ", { " + Join(arguments, ", ") + " }") + "));");
  }
  std::string text = example.text();
  text.pop_back();
  return ReadmeText(program, {"TypeScript", "typescript",
                              "npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb", "ts",
                              text, [](const std::string& name) { return CamelCase(name); }});
}

}  // namespace typescript

std::vector<GeneratedFile> GenerateTypeScript(const Program& program) {
  const std::string header = "// " + HeaderText(program) + "\n\n";
  std::string index = header + "export * from \"./entities.js\";\n";
  index += "export * from \"./patterns.js\";\nexport * from \"./writes.js\";\n";
  index +=
      "export {\n  InvalidKeyPart,\n  type Client,\n  type Item,\n  type Page,\n  type "
      "PageOptions,\n} from \"./reading.js\";\n";
  index += "export { AlreadyExists, ConditionNotMet, Conflict, NotFound } from \"./writing.js\";\n";
  return {
      {"entities.ts", typescript::EntitiesFile(program)},
      {"patterns.ts", typescript::PatternsFile(program)},
      {"writes.ts", typescript::WritesFile(program)},
      {"reading.ts", header + std::string(SupportFile("typescript/reading.ts"))},
      {"writing.ts", header + std::string(SupportFile("typescript/writing.ts"))},
      {"index.ts", index},
      {"README.md", typescript::ReadmeFile(program)},
  };
}

}  // namespace prejoin::gen
