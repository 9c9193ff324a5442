// The README of a generated package.
#ifndef PREJOIN_GEN_README_TEXT_H_
#define PREJOIN_GEN_README_TEXT_H_

#include <functional>
#include <string>

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

// The first pattern with an example, for code that shows a call; null if there is none.
const PatternFunction* PatternToShow(const Program& program);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_README_TEXT_H_
