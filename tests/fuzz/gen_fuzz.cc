// Any text as a model that code is generated from: a model that reads gives files for any target, under paths inside of the folder,
// no two alike in any case; those that are JSON parse.
//
// Built with libFuzzer by the preset `fuzz`; tests/hostile/hostile_models_test.cc runs random models in every build.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "base/check.h"
#include "gen/build_program.h"
#include "gen/target.h"
#include "json/reader.h"
#include "model/bind/read_model.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/model_language.h"
#include "tests/gen/generated_files.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const prejoin::fuzz::InputLanguage language = prejoin::fuzz::ModelLanguage();
  return prejoin::fuzz::MutateInLanguage(language, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  const fuzz::InputLimits limits;
  const model::ReadModelResult read = model::ReadModel(input);
  if (!read.ok) {
    return 0;
  }
  fuzz::InputCount::Get().Accept();
  const auto program = gen::BuildProgram(read.model, {"fuzz.prejoin", "0"});
  // The text picks the target, because all of them take fifteen times as long.
  const auto targets = gen::AllTargets();
  const gen::Target& target = targets[std::hash<std::string>()(input) % targets.size()];
  const std::string fault = gen::FilesFault(target.generate(*program));
  if (!fault.empty()) {
    std::fprintf(stderr, "%s: %s\n", std::string(target.name).c_str(), fault.c_str());
  }
  PJ_CHECK(fault.empty());
  return 0;
}
