// Random models on rows with the stated figures: what is estimated, what follows from the items and what is measured
// agree. A model that does not is cut down to the patterns and writes that disagree before it is shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/bind/read_model.h"
#include "model/prove/compare_estimates.h"
#include "tests/model/random_model.h"

namespace prejoin::model {
namespace {

constexpr std::uint64_t kFirstSeed = 27'000;
constexpr std::uint64_t kParts = 5;
constexpr std::uint64_t kModelsOfPart = 4;
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

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin + 1));
    begin = end + 1;
  }
  return lines;
}

// Behind the brace that ends the item at `first`.
std::size_t EndOfItem(const std::vector<std::string>& lines, std::size_t first) {
  std::size_t end = first;
  while (end < lines.size() && lines[end] != "  }\n") {
    ++end;
  }
  return std::min(end + 1, lines.size());
}

// The comparison of a model; nothing: the text is no model, or it cannot be compared.
std::optional<EstimateComparison> Compared(const std::string& text, std::uint64_t seed) {
  const ReadModelResult read = ReadModel(text);
  if (!read.ok) {
    return std::nullopt;
  }
  auto comparison = CompareEstimates(read.model, {.rows = kRows, .seed = seed});
  return comparison.has_value() ? std::optional(*std::move(comparison)) : std::nullopt;
}

// The names of the figures that disagree, such as `patterns All0`, `writes Put1`, `entries T.GSI1`.
std::vector<std::string> Disagreeing(const EstimateComparison& comparison) {
  std::vector<std::string> names;
  for (const ComparedKind& kind : KindsOf(comparison)) {
    for (const ComparedFigure& figure : *kind.figures) {
      if (!figure.agrees) {
        names.push_back(std::string(kind.name) + " " + figure.name);
      }
    }
  }
  return names;
}

bool StillDisagrees(const std::string& text, std::uint64_t seed, const std::string& figure) {
  const auto comparison = Compared(text, seed);
  return comparison && std::ranges::count(Disagreeing(*comparison), figure) > 0;
}

// Cuts the text down to what one figure's disagreement needs: whole declarations first, then single lines.
std::string Shrunk(const std::string& text, std::uint64_t seed, const std::string& figure) {
  std::vector<std::string> left = Declarations(text);
  std::vector<std::string> alone = left;
  const std::string name = figure.substr(figure.find(' ') + 1) + " ";
  std::erase_if(alone, [&](const std::string& one) {
    return (one.starts_with("pattern ") && !one.starts_with("pattern " + name)) ||
           (one.starts_with("write ") && !one.starts_with("write " + name));
  });
  if (StillDisagrees(Joined(alone), seed, figure)) {
    left = std::move(alone);
  }
  for (std::size_t i = left.size(); i-- > 0;) {
    std::vector<std::string> fewer = left;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (StillDisagrees(Joined(fewer), seed, figure)) {
      left = std::move(fewer);
    }
  }
  std::vector<std::string> lines = Lines(Joined(left));
  for (std::size_t i = lines.size(); i-- > 0;) {
    // An item goes as a whole.
    const std::size_t many = lines[i].starts_with("  item") ? EndOfItem(lines, i) - i : 1;
    std::vector<std::string> fewer = lines;
    const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(i);
    fewer.erase(first, first + static_cast<std::ptrdiff_t>(many));
    if (StillDisagrees(Joined(fewer), seed, figure)) {
      lines = std::move(fewer);
    }
  }
  return Joined(lines);
}

class EstimatesOfRandomModels : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // Of each kind of figure one model is shown.
  std::set<std::string> shown_kinds_;
};

// By default twenty models, in which everything agrees. PREJOIN_RANDOM_ESTIMATES=200 is about so many models, from PREJOIN_RANDOM_SEED
// on: some of those have a figure that differs.
TEST_P(EstimatesOfRandomModels, AgreeWithTheMeasurement) {
  const std::uint64_t wanted = Setting("PREJOIN_RANDOM_ESTIMATES", 0);
  const std::uint64_t models = wanted > 0 ? (wanted + kParts - 1) / kParts : kModelsOfPart;
  const std::uint64_t first = Setting("PREJOIN_RANDOM_SEED", kFirstSeed) + GetParam() * models;
  for (std::uint64_t seed = first; seed < first + models; ++seed) {
    const std::string text = RandomModel(seed);
    const auto comparison = Compared(text, seed);
    ASSERT_TRUE(comparison.has_value()) << "seed " << seed;
    EXPECT_GT(comparison->patterns.size() + comparison->writes.size(), 10u) << "seed " << seed;
    const std::vector<std::string> disagreeing = Disagreeing(*comparison);
    if (disagreeing.empty()) {
      continue;
    }
    ADD_FAILURE() << "seed " << seed << "\n" << RenderEstimates(*comparison, /*verbose=*/false);
    for (const std::string& figure : Disagreeing(*comparison)) {
      std::string kind = figure;
      std::erase_if(kind, [](char letter) { return letter >= '0' && letter <= '9'; });
      if (std::getenv("PREJOIN_RANDOM_BRIEF") == nullptr && shown_kinds_.insert(kind).second) {
        ADD_FAILURE() << figure << " of seed " << seed << "\n" << Shrunk(text, seed, figure);
      }
    }
  }
}

class EstimatesOfFormerlyWrongModels : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(EstimatesOfFormerlyWrongModels, AgreeWithTheMeasurement) {
  const auto comparison = Compared(RandomModel(GetParam()), GetParam());
  ASSERT_TRUE(comparison.has_value());
  EXPECT_TRUE(Disagreeing(*comparison).empty())
      << RenderEstimates(*comparison, /*verbose=*/false);
}

INSTANTIATE_TEST_SUITE_P(
    Seeds, EstimatesOfFormerlyWrongModels,
    ::testing::Values(27'031,  // Other items of a partition that are more in some partitions than in others; months that rows fill in part.
                      27'038,  // A hottest value that is stated to have less than its even share.
                      28'029,  // A transaction of more than a hundred items.
                      28'038,  // Days that fill three months of thirty days, but four of those that are generated.
                      28'043,  // Pages of a Scan, which end where the service's order of partitions lets them.
                      28'044,  // A write that changes the copies of one parent, of which one has most.
                      28'056,  // A transaction that has one item only, because the row is not in the second layout.
                      29'022,  // A row that is put into its parent's item; `returns` of more rows than there are.
                      29'027,  // A range that ends among rows of the same value.
                      29'060,  // A padded number of which a parameter names one that no row has.
                      29'066,  // `<>` with a parameter before a fetch.
                      29'153));  // A Scan, which reads lock items too.

INSTANTIATE_TEST_SUITE_P(Seeds, EstimatesOfRandomModels,
                         ::testing::Range<std::uint64_t>(0, kParts));

}  // namespace
}  // namespace prejoin::model
