#include "gen/cpp/cpp.h"

#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace cpp {
namespace {

std::string Readme(const Program& program) {
  Code example = NewCode();
  example.Line("#include \"" + program.module + ".h\"");
  if (const PatternFunction* pattern = PatternToShow(program)) {
    std::vector<std::string> arguments;
    if (!pattern->pattern->examples.empty()) {
      for (const model::Parameter& parameter : pattern->parameters) {
        for (const auto& [name, value] : pattern->pattern->examples[0].arguments) {
          if (name.text == parameter.name) {
            arguments.push_back("." + Name(name.text) + " = " +
                                MemberLiteral({"", parameter.type, false, {}}, value));
          }
        }
      }
    }
    example.Line();
    example.Line("auto database = prejoin::Database::Open({.path = \"data\"});");
    example.Line("auto made = " + program.module + "::CreateTables(**database);");
    example.Line("auto answer = " + program.module + "::" + pattern->name + "(**database" +
                 (arguments.empty() ? "" : ", {" + Join(arguments, ", ") + "}") + ");");
  }
  std::string text = example.text();
  text.pop_back();
  return ReadmeText(program,
                    {"C++", "cpp", "", "cpp", text, [](const std::string& name) { return name; }});
}

}  // namespace
}  // namespace cpp

std::vector<GeneratedFile> GenerateCpp(const Program& program) {
  cpp::Files files{cpp::NewCode(), cpp::NewCode()};
  const std::string header = "// " + HeaderText(program) + "\n";
  const std::string guard = UpperSnakeCase(program.module) + "_H_";
  files.header.Line("#ifndef " + guard);
  files.header.Line("#define " + guard);
  files.header.Line();
  files.header.Line("#include <prejoin/database.h>");
  files.header.Line();
  files.header.Line(
      "#include <optional>\n#include <string>\n#include <string_view>\n#include <vector>");
  files.header.Line();
  files.header.Line("#include \"reading.h\"\n#include \"writing.h\"");
  files.header.Line();
  files.header.Line("namespace " + program.module + " {");
  files.header.Line();
  files.header.Line("using namespace prejoin::generated;");
  for (const char* name : {"AttributeValue", "Database", "Item", "Number", "Result", "Status"}) {
    files.header.Line(std::string("using prejoin::") + name + ";");
  }
  files.source.Line("#include \"" + program.module + ".h\"");
  files.source.Line();
  files.source.Line("#include <algorithm>\n#include <iterator>\n#include <utility>");
  files.source.Line();
  files.source.Line("namespace " + program.module + " {");
  files.source.Line();
  files.source.Line("using namespace prejoin;");
  cpp::EntitiesCode(program, files);
  for (const PatternFunction& pattern : program.patterns) {
    cpp::PatternCode(pattern, true, files);
  }
  cpp::WritesCode(program, files);
  files.header.Gap();
  files.header.Line("}  // namespace " + program.module);
  files.header.Line();
  files.header.Line("#endif  // " + guard);
  files.source.Gap();
  files.source.Line("}  // namespace " + program.module);
  return {
      {program.module + ".h", header + files.header.text()},
      {program.module + ".cc", header + files.source.text()},
      {"reading.h", header + std::string(SupportFile("cpp/reading.h.in"))},
      {"writing.h", header + std::string(SupportFile("cpp/writing.h.in"))},
      {"README.md", cpp::Readme(program)},
  };
}

}  // namespace prejoin::gen
