// Random models on rows with the stated figures: what is estimated, what follows from the items and what is measured
// agree. A model that does not is cut down to the patterns and writes that disagree before it is shown.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "model/bind/read_model.h"
#include "model/prove/compare_estimates.h"
#include "tests/model/random_model.h"

namespace prejoin::model {
namespace {

constexpr std::uint64_t kFirstSeed = 27'000;
constexpr std::uint64_t kParts = 5;
constexpr double kRows = 1'500;

std::uint64_t Setting(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

// The declarations of a model, each from its first line to the brace that ends it.
std::vector<std::string> Declarations(const std::string& text) {
  std::vector<std::string> all(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin + 1);
    all.back() += line;
    if (line == "}\n") {
      all.emplace_back();
    }
    begin = end + 1;
  }
  return all;
}

std::string Joined(const std::vector<std::string>& declarations) {
  std::string text;
  for (const std::string& one : declarations) {
    text += one;
  }
  return text;
}

// The figures that disagree, in words; empty: all agree.
std::string Differences(const std::string& text, std::uint64_t seed) {
  const ReadModelResult read = ReadModel(text);
  if (!read.ok) {
    return "";
  }
  const auto comparison = CompareEstimates(read.model, {.rows = kRows, .seed = seed});
  if (!comparison.has_value()) {
    return comparison.error().message;
  }
  return comparison->all_agree ? "" : RenderEstimates(*comparison, /*verbose=*/false);
}

// Leaves out patterns and writes as long as the rest still disagrees.
std::string Shrunk(const std::string& text, std::uint64_t seed) {
  std::vector<std::string> left = Declarations(text);
  for (std::size_t i = left.size(); i-- > 0;) {
    if (!left[i].starts_with("pattern") && !left[i].starts_with("write")) {
      continue;
    }
    std::vector<std::string> fewer = left;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!Differences(Joined(fewer), seed).empty()) {
      left = std::move(fewer);
    }
  }
  return Joined(left);
}

class EstimatesOfRandomModels : public ::testing::TestWithParam<std::uint64_t> {};

// Not quiet yet, so it runs on demand: PREJOIN_RANDOM_ESTIMATES=200 models, from PREJOIN_RANDOM_SEED on.
TEST_P(EstimatesOfRandomModels, AgreeWithTheMeasurement) {
  const std::uint64_t models = Setting("PREJOIN_RANDOM_ESTIMATES", 0) / kParts;
  if (models == 0) {
    GTEST_SKIP() << "set PREJOIN_RANDOM_ESTIMATES to a number of models";
  }
  const std::uint64_t first = Setting("PREJOIN_RANDOM_SEED", kFirstSeed) + GetParam() * models;
  for (std::uint64_t seed = first; seed < first + models; ++seed) {
    const std::string text = RandomModel(seed);
    ASSERT_TRUE(ReadModel(text).ok) << "seed " << seed;
    const std::string differences = Differences(text, seed);
    if (differences.empty()) {
      continue;
    }
    const bool brief = std::getenv("PREJOIN_RANDOM_BRIEF") != nullptr;
    ADD_FAILURE() << "seed " << seed << "\n" << differences << (brief ? "" : Shrunk(text, seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EstimatesOfRandomModels,
                         ::testing::Range<std::uint64_t>(0, kParts));

}  // namespace
}  // namespace prejoin::model
