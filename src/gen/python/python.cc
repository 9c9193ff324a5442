#include "gen/python/python.h"

#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace python {
namespace {

std::string Readme(const Program& program) {
  Code example = NewCode();
  example.Line("import boto3");
  if (const PatternFunction* pattern = PatternToShow(program)) {
    std::vector<std::string> arguments = {"db"};
    bool decimal = false;
    if (!pattern->pattern->examples.empty()) {
      for (const auto& [name, value] : pattern->pattern->examples[0].arguments) {
        arguments.push_back(Name(name.text) + "=" + Python().Literal(value));
        decimal = decimal || value.number() != nullptr;
      }
    }
    if (decimal) {
      example.Line("from decimal import Decimal");
    }
    example.Line();
    example.Line("from " + program.module + " import " + SnakeCase(pattern->name));
    example.Line();
    example.Line("db = boto3.resource(\"dynamodb\").meta.client");
    example.Line("print(" + SnakeCase(pattern->name) + "(" + Join(arguments, ", ") + "))");
  }
  std::string text = example.text();
  text.pop_back();
  return ReadmeText(program, {"Python", "python", "pip install boto3", "python", text,
                              [](const std::string& name) { return SnakeCase(name); }});
}

}  // namespace
}  // namespace python

std::vector<GeneratedFile> GeneratePython(const Program& program) {
  const std::string header = "# " + HeaderText(program) + "\n\n";
  std::string init = header + "from .entities import *  # noqa: F403\n";
  init += "from .patterns import *  # noqa: F403\nfrom .writes import *  # noqa: F403\n";
  init += "from .reading import InvalidKeyPart as InvalidKeyPart\n";
  init += "from .writing import AlreadyExists as AlreadyExists\n";
  init +=
      "from .writing import ConditionNotMet as ConditionNotMet\n"
      "from .writing import Conflict as Conflict\nfrom .writing import NotFound as NotFound\n";
  return {
      {"__init__.py", init},
      {"entities.py", python::EntitiesFile(program)},
      {"patterns.py", python::PatternsFile(program)},
      {"writes.py", python::WritesFile(program)},
      {"reading.py", header + std::string(SupportFile("python/reading.py"))},
      {"writing.py", header + std::string(SupportFile("python/writing.py"))},
      {"py.typed", ""},
      {"README.md", python::Readme(program)},
  };
}

}  // namespace prejoin::gen
