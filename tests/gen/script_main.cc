// script_main MODEL SEED STEPS DIRECTORY TARGET…: writes the generated package of each target, the script that calls it,
// and what the script must print and leave in the tables.
// script_main decide: see decide.h.
// script_main files DIRECTORY MODEL…: writes what every target generates for each model, under the model's name.
// script_main model random|hostile SEED: prints a random model.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "gen/build_program.h"
#include "gen/target.h"
#include "model/bind/read_model.h"
#include "model/syntax/formatter.h"
#include "tests/gen/decide.h"
#include "tests/gen/script.h"
#include "tests/model/hostile_model.h"
#include "tests/model/random_model.h"

namespace {

using namespace prejoin;

struct ScriptTarget {
  std::string (*script)(const gen::Program&, const gen::Script&);
  const char* file;     // Where the script stands.
  const char* package;  // Where the package stands; {module} is replaced.
};

const std::map<std::string, ScriptTarget>& ScriptTargets() {
  static const std::map<std::string, ScriptTarget> kTargets = {
      {"typescript", {gen::TypeScriptScript, "script.ts", "."}},
      {"python", {gen::PythonScript, "script.py", "{module}"}},
      {"boto3", {gen::Boto3Script, "script.py", "{module}"}},
      {"python-async", {gen::PythonAsyncScript, "script.py", "{module}"}},
      {"cpp", {gen::CppScript, "script.cc", "."}},
      {"go", {gen::GoScript, "script.go", "."}},
      {"go-structs", {gen::GoScript, "script.go", "."}},
      {"rust", {gen::RustScript, "script.rs", "."}},
      {"java", {gen::JavaScript, "Script.java", "."}},
      {"java-beans", {gen::JavaScript, "Script.java", "."}},
  };
  return kTargets;
}

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string ReadFile(const char* path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Models that do not read have no files.
int WriteAllFiles(const std::filesystem::path& directory, int count, char** models) {
  for (int i = 0; i < count; ++i) {
    const std::filesystem::path path = models[i];
    const model::ReadModelResult read = model::ReadModel(ReadFile(models[i]));
    if (!read.ok) {
      continue;
    }
    const auto program = gen::BuildProgram(read.model, {path.filename().string(), "test", model::FormatTree(read.tree)});
    for (const gen::Target& target : gen::AllTargets()) {
      const std::filesystem::path folder = directory / path.stem() / target.name;
      for (const gen::GeneratedFile& file : target.generate(*program)) {
        WriteFile(folder / file.path, file.text);
      }
    }
  }
  return 0;
}

int PrintModel(const std::string_view kind, const char* seed) {
  const std::uint64_t number = std::strtoull(seed, nullptr, 10);
  std::fputs((kind == "hostile" ? model::HostileModel(number) : model::RandomModel(number)).c_str(),
             stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "decide") {
    return gen::DecideLines();
  }
  if (argc > 3 && std::string_view(argv[1]) == "files") {
    return WriteAllFiles(argv[2], argc - 3, argv + 3);
  }
  if (argc == 4 && std::string_view(argv[1]) == "model") {
    return PrintModel(argv[2], argv[3]);
  }
  if (argc < 6) {
    return 2;
  }
  const model::ReadModelResult read = model::ReadModel(ReadFile(argv[1]));
  if (!read.ok) {
    std::fprintf(stderr, "%s does not read\n", argv[1]);
    return 1;
  }
  const std::filesystem::path directory = argv[4];
  const auto program =
      gen::BuildProgram(read.model, {std::filesystem::path(argv[1]).filename().string(), "test"});
  const gen::Script script =
      gen::MakeScript(*program, std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]));
  WriteFile(directory / "expected.jsonl", gen::ExpectedLines(*program, script));
  WriteFile(directory / "before.json", gen::TablesJson(read.model, script.before));
  WriteFile(directory / "after.json", gen::TablesJson(read.model, script.after));
  for (int i = 5; i < argc; ++i) {
    const auto found = ScriptTargets().find(argv[i]);
    if (found == ScriptTargets().end()) {
      return 2;
    }
    const std::filesystem::path folder = directory / argv[i];
    std::string package = found->second.package;
    if (package == "{module}") {
      package = program->module;
    }
    for (const gen::GeneratedFile& file : gen::FindTarget(argv[i])->generate(*program)) {
      WriteFile(folder / package / file.path, file.text);
    }
    WriteFile(folder / found->second.file, found->second.script(*program, script));
  }
  return 0;
}
