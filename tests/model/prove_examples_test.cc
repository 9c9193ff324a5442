// Every sound example is proved on the embedded database: rows, order, attributes, and units to the
// half unit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bind/read_model.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

class ProveExample : public ::testing::TestWithParam<std::string> {};

TEST_P(ProveExample, AllRight) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  auto backend = EmbeddedBackend::OpenInMemory();
  ASSERT_TRUE(backend.has_value()) << backend.error().message;
  const auto report = Prove(read.model, SampleData(read.model), **backend, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_TRUE(report->all_right) << RenderProof(*report, true);
}

// Of the patterns that find rows, those that read a global index may miss the last write, and no others.
TEST_P(ProveExample, MissesTheLastWriteThroughGlobalIndexesOnly) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  auto backend = EmbeddedBackend::OpenInMemory();
  ASSERT_TRUE(backend.has_value()) << backend.error().message;
  auto report = ProveAtScale(read.model, {}, **backend, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_TRUE(TryIndexLag(read.model, {}, *report).has_value());
  const std::vector<Plan> plans = PlanAll(read.model);
  ASSERT_EQ(report->patterns.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const bool through_index = std::ranges::any_of(
        plans[i].requests, [](const Request& request) { return request.view.IsGlobalIndex(); });
    EXPECT_EQ(report->patterns[i].may_miss_last_write, through_index)
        << plans[i].pattern->name.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Sound, ProveExample, ::testing::ValuesIn(SoundExampleFiles()),
                         [](const auto& test) {
                           std::string name = BaseName(test.param);
                           name.resize(name.find('.'));
                           return name;
                         });

TEST(Prove, EndsWhenItsCallerGivesUp) {
  const std::string text =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d05_education.prejoin");
  const ReadModelResult read = ReadModel(text);
  auto backend = EmbeddedBackend::OpenInMemory();
  ASSERT_TRUE(backend.has_value());
  int asked = 0;
  ProveOptions options;
  options.give_up = [&asked] { return ++asked > 2; };
  const auto report = ProveAtScale(read.model, {}, **backend, options);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace prejoin::model
