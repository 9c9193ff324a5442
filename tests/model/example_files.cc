#include "tests/model/example_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace prejoin::model {

namespace {

std::vector<std::string> ModelsIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".prejoin") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> ExampleFiles(const std::string& folder) {
  return ModelsIn(std::string(PREJOIN_SOURCE_DIR "/examples/models/") + folder);
}

std::vector<std::string> WorkloadFiles() {
  return ModelsIn(PREJOIN_SOURCE_DIR "/tests/model/workloads");
}

std::vector<std::string> SoundExampleFiles() { return ExampleFiles("."); }

std::string ReadFileForTesting(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string BaseName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace prejoin::model
