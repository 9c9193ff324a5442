// Published workloads with the keys that an expert gave them (tests/design/workloads): `design` is never dearer, keeps the
// constraints, and what it prints is proved. tests/design/workloads/compare prints the whole table.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "design/design.h"
#include "tests/model/example_files.h"

namespace prejoin::design {
namespace {

std::vector<std::string> Workloads() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(PREJOIN_SOURCE_DIR "/tests/design/workloads")) {
    if (entry.path().extension() == ".prejoin") {
      files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

class Workload : public ::testing::TestWithParam<std::string> {};

TEST_P(Workload, IsDesignedAsCheaplyAsByAnExpert) {
  const std::string source = model::ReadFileForTesting(GetParam());
  const model::ReadModelResult read = model::ReadModel(source);
  ASSERT_TRUE(read.ok);
  DesignOptions options;
  options.proof_rows = 120;
  const auto report = MakeDesign(source, read, options);
  ASSERT_TRUE(report) << report.error().message;
  const FoundDesign& best = report->designs[0];
  EXPECT_EQ(report->unserved_before, 0u) << "the expert's keys support every pattern";
  EXPECT_TRUE(report->unserved.empty());
  EXPECT_LE(best.money, report->money_before + 0.005);
  EXPECT_TRUE(best.proved) << (best.proof_problems.empty() ? "" : best.proof_problems[0]);
  EXPECT_TRUE(best.violations.empty()) << best.violations[0];
  for (const FoundDesign& design : report->designs) {
    EXPECT_LE(best.bound, design.money + 1e-9);
  }
  EXPECT_LE(best.bound, report->money_before + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Published, Workload, ::testing::ValuesIn(Workloads()),
                         [](const ::testing::TestParamInfo<std::string>& test) {
                           return std::filesystem::path(test.param).stem().string();
                         });

}  // namespace
}  // namespace prejoin::design
