// The README of a generated package.
#ifndef PREJOIN_GEN_README_TEXT_H_
#define PREJOIN_GEN_README_TEXT_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gen/program.h"

namespace prejoin::gen {

struct ReadmeLanguage {
  std::string name;     // "TypeScript"
  std::string target;   // "typescript"
  std::string install;  // The command that brings what the code needs; empty: nothing.
  std::string needs;    // What that is, as a sentence; empty: the AWS SDK.
  std::string fence;    // Of code blocks.
  std::string example;  // A few lines that connect and call.
  std::function<std::string(const std::string& name)> function_name;
};

std::string ReadmeText(const Program& program, const ReadmeLanguage& language);

// For code that shows a call: a pattern and its example, or values that only show what belongs there. Nullopt: no function can be called so.
struct CallToShow {
  const PatternFunction* pattern = nullptr;
  std::vector<std::pair<model::Name, AttributeValue>> arguments;
};
std::optional<CallToShow> CallToShowOf(const Program& program);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_README_TEXT_H_
