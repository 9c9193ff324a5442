// The example models, for tests.
#ifndef PREJOIN_TESTS_MODEL_EXAMPLE_FILES_H_
#define PREJOIN_TESTS_MODEL_EXAMPLE_FILES_H_

#include <string>
#include <vector>

namespace prejoin::model {

// Paths of all *.prejoin files in a folder of examples/models, sorted.
std::vector<std::string> ExampleFiles(const std::string& folder);
// Those in examples/models itself; the broken ones have a folder of their own.
std::vector<std::string> SoundExampleFiles();
// Entities, questions and writes of thirteen kinds of workload, without a physical half.
std::vector<std::string> WorkloadFiles();
std::string ReadFileForTesting(const std::string& path);
std::string BaseName(const std::string& path);

}  // namespace prejoin::model

#endif  // PREJOIN_TESTS_MODEL_EXAMPLE_FILES_H_
