// Small models of published workloads whose figures were worked out by hand, from AWS's rules: the estimate is that
// figure, and so is the measurement.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "model/bind/read_model.h"
#include "model/cost/write_cost.h"
#include "model/plan/planner.h"
#include "model/prove/compare_estimates.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

constexpr double kHandTolerance = 0.015;

std::vector<std::string> HandFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(PREJOIN_SOURCE_DIR "/tests/model/by_hand")) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

struct HandFigure {
  std::string kind;  // "reads" or "writes".
  std::string name;
  double units = 0;
};

// Lines such as "// reads All 9".
std::vector<HandFigure> FiguresOf(const std::string& text) {
  std::vector<HandFigure> figures;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string slashes;
    HandFigure figure;
    if (words >> slashes >> figure.kind >> figure.name >> figure.units && slashes == "//" &&
        (figure.kind == "reads" || figure.kind == "writes")) {
      figures.push_back(figure);
    }
  }
  return figures;
}

class ByHand : public ::testing::TestWithParam<std::string> {};

TEST_P(ByHand, TheEstimateIsTheFigure) {
  const std::string text = ReadFileForTesting(GetParam());
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  const std::vector<HandFigure> figures = FiguresOf(text);
  ASSERT_FALSE(figures.empty());
  Expectations expectations(read.model);
  for (const HandFigure& figure : figures) {
    double estimated = -1;
    if (figure.kind == "reads") {
      ASSERT_NE(read.model.FindPattern(figure.name), nullptr) << figure.name;
      estimated =
          PlanPattern(expectations, *read.model.FindPattern(figure.name)).estimate.read_units;
    } else {
      ASSERT_NE(read.model.FindWrite(figure.name), nullptr) << figure.name;
      estimated = EstimateWrite(expectations, *read.model.FindWrite(figure.name)).total_units;
    }
    EXPECT_NEAR(estimated, figure.units, kHandTolerance * figure.units) << figure.name;
  }
}

TEST_P(ByHand, TheMeasurementIsTheEstimate) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  const auto comparison = CompareEstimates(read.model, {.rows = 20'000});
  ASSERT_TRUE(comparison.has_value()) << comparison.error().message;
  EXPECT_TRUE(comparison->all_agree) << RenderEstimates(*comparison, true);
}

INSTANTIATE_TEST_SUITE_P(Published, ByHand, ::testing::ValuesIn(HandFiles()), [](const auto& test) {
  std::string name = BaseName(test.param);
  name.resize(name.find('.'));
  return name;
});

}  // namespace
}  // namespace prejoin::model
