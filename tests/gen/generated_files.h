// The form that generated files must have, whatever the model is called inside.
#ifndef PREJOIN_TESTS_GEN_GENERATED_FILES_H_
#define PREJOIN_TESTS_GEN_GENERATED_FILES_H_

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "gen/target.h"
#include "json/reader.h"

namespace prejoin::gen {

// Why these files cannot be written to a folder, or cannot be what their names say; empty if they can.
inline std::string FilesFault(const std::vector<GeneratedFile>& files) {
  std::set<std::string> seen;
  for (const GeneratedFile& file : files) {
    if (file.path.empty() || file.path.front() == '/' ||
        ("/" + file.path + "/").find("/../") != std::string::npos) {
      return "the path leaves the folder: " + file.path;
    }
    std::string folded;
    for (const char c : file.path) {
      folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (!seen.insert(folded).second) {
      return "two files are called " + file.path;
    }
    if (file.path.ends_with(".json") && !json::Document::Parse(file.text)) {
      return file.path + " is not JSON";
    }
  }
  return "";
}

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_GENERATED_FILES_H_
