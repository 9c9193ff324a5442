// Files of the repository as samples for a mutator.
#ifndef PREJOIN_TESTS_FUZZ_SAMPLE_FILES_H_
#define PREJOIN_TESTS_FUZZ_SAMPLE_FILES_H_

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"

namespace prejoin::fuzz {

// Those of at most `bytes_max` whose names end so, in the order of their names; there is at least one.
inline std::vector<std::string> SampleFiles(const std::string& folder, const std::string& ending,
                                            std::size_t bytes_max) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PREJOIN_SOURCE_DIR "/") + folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending) &&
        entry.file_size() <= bytes_max) {
      paths.push_back(entry.path());
    }
  }
  PJ_CHECK(!paths.empty());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

// The first line of an input, and what follows it.
struct HeadAndBody {
  std::string head;
  std::string body;
};

inline HeadAndBody SplitHead(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) {
    return {text, ""};
  }
  return {text.substr(0, end), text.substr(end + 1)};
}

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_SAMPLE_FILES_H_
