// What is estimated is what is measured: every example, on rows with the stated counts, averages, skew and shares.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "model/bind/read_model.h"
#include "model/prove/compare_estimates.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

double RowsSetting(double otherwise) {
  const char* value = std::getenv("PREJOIN_ESTIMATE_ROWS");
  return value != nullptr ? std::strtod(value, nullptr) : otherwise;
}

std::string Listed(const std::vector<ComparedFigure>& figures, const char* unit) {
  std::string out;
  for (const ComparedFigure& one : figures) {
    char line[240];
    std::snprintf(line, sizeof(line),
                  "%s %-24s %10.2f estimated %10.2f predicted %10.2f measured ±%.2f %s, items %.1f "
                  "~ %.1f (%.2f declared)\n",
                  one.agrees ? " " : "!", one.name.c_str(), one.estimated, one.predicted,
                  one.measured, one.sampling_error, unit, one.items_estimated, one.items_measured,
                  one.declared);
    out += line;
  }
  return out;
}

std::string RenderDiagnostics(const ReadModelResult& read) {
  std::string out;
  for (const Diagnostic& diagnostic : read.diagnostics) {
    out += RenderDiagnostic("model", "", diagnostic);
  }
  return out;
}

std::string Listed(const EstimateComparison& comparison) {
  std::string out;
  for (const ComparedKind& kind : KindsOf(comparison)) {
    out += Listed(*kind.figures, kind.unit);
  }
  return out;
}

class EstimatesOfExample : public ::testing::TestWithParam<std::string> {};

TEST_P(EstimatesOfExample, AgreeWithTheMeasurement) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  const auto comparison = CompareEstimates(read.model, {.rows = RowsSetting(4'000)});
  ASSERT_TRUE(comparison.has_value()) << comparison.error().message;
  EXPECT_TRUE(comparison->all_agree) << Listed(*comparison);
  if (std::getenv("PREJOIN_PRINT_ESTIMATES") != nullptr) {
    std::printf("%s\n%s", GetParam().c_str(), Listed(*comparison).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Sound, EstimatesOfExample, ::testing::ValuesIn(SoundExampleFiles()),
                         [](const auto& test) {
                           std::string name = BaseName(test.param);
                           name.resize(name.find('.'));
                           return name;
                         });

// Other people's workloads, with their keys.
std::vector<std::string> PublishedFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"design/workloads", "trust/strangers", "trust/workloads"}) {
    for (const auto& entry : std::filesystem::directory_iterator(
             std::string(PREJOIN_SOURCE_DIR "/tests/") + folder)) {
      if (entry.path().extension() == ".prejoin") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

// By folder and name: two authors may have the same domain.
INSTANTIATE_TEST_SUITE_P(Published, EstimatesOfExample, ::testing::ValuesIn(PublishedFiles()),
                         [](const auto& test) {
                           const std::filesystem::path path = test.param;
                           const std::filesystem::path folder = path.parent_path();
                           return folder.parent_path().filename().string() + "_" +
                                  folder.filename().string() + "_" + path.stem().string();
                         });

// A shop in which every figure matters somewhere.
constexpr const char* kShop = R"(
entity Customer {
  id text(~10) key
  name text(~30)
  bio text(~4_000) optional 50%
  count 150
}
entity Order {
  customerId references Customer.id key
  id text(~12) key
  status text(~4) values ("OPEN", "SENT", "DONE", "LOST")
  flag text(~6) optional 20%
  region text(~5) distinct 6
  body text(~700)
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~16, unbounded, zipf 0.8
}
pattern Page "A customer with the newest orders" {
  find Customer where id = :c
  find Order where customerId = :c order by id desc limit 5
}
pattern All "A customer's orders" {
  find Order where customerId = :c
}
pattern Region "The orders of a region" {
  find Order where region = :r get id, customerId
}
pattern Flagged "Flagged orders" {
  find Order where flag = :f
}
pattern One "An order" {
  find Order where customerId = :c and id = :o
  fresh strong
}
write Place {
  put Order once
}
write Flag {
  update Order set flag
}
write Unflag {
  update Order remove flag
}
write Rename {
  update Customer set name
}
table T partition PK sort SK {
  index ByRegion partition region sort SK project keys
  index ByFlag partition flag sort SK project all
  item Customer {
    PK = "C#{id}"
    SK = "PROFILE"
  }
  item Order {
    PK = "C#{customerId}"
    SK = "ORDER#{id}"
    region = region
    flag = flag
    owner = copy of Customer.name kept by stream
  }
}
)";

struct Mistake {
  const char* name;
  void (*make)(Model& model);
};

Attribute& AttributeOf(Model& model, std::size_t entity, const std::string& name) {
  return *std::ranges::find_if(model.entities[entity].attributes,
                               [&](const Attribute& one) { return one.name.text == name; });
}

// Each stands for an error in the cost model: the estimate leaves something out, or takes it wrong.
const std::vector<Mistake> kMistakes = {
    {"Skew", [](Model& model) { model.relationships[0].cardinalities[0].skew = {}; }},
    {"FanOut", [](Model& model) { model.relationships[0].cardinalities[0].average = 8; }},
    {"Size", [](Model& model) { AttributeOf(model, 1, "body").size_avg = 400; }},
    {"Projection",
     [](Model& model) { model.tables[0].indexes[0].projection = ProjectionKind::kAll; }},
    {"SparseIndex", [](Model& model) { AttributeOf(model, 1, "flag").presence = 1; }},
    {"OptionalBytes", [](Model& model) { AttributeOf(model, 0, "bio").presence = 0; }},
    {"Distinct", [](Model& model) { AttributeOf(model, 1, "region").distinct = 60; }},
    {"Consistency", [](Model& model) { model.patterns[4].freshness = Freshness::kEventual; }},
    {"Copies",
     [](Model& model) {
       std::erase_if(model.tables[0].items[1].attributes,
                     [](const StoredAttribute& one) { return one.kind == StoredKind::kCopy; });
     }},
    {"Limit", [](Model& model) { model.patterns[0].sections[1].limit = 50; }},
    {"IndexForgotten",
     [](Model& model) {
       model.tables[0].items[1].attributes.erase(std::ranges::find_if(
           model.tables[0].items[1].attributes,
           [](const StoredAttribute& one) { return one.name.text == "flag"; }));
     }},
};

TEST(Estimates, OfTheShopAgree) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok) << RenderDiagnostics(read);
  const auto comparison = CompareEstimates(read.model, {});
  ASSERT_TRUE(comparison.has_value()) << comparison.error().message;
  EXPECT_TRUE(comparison->all_agree) << Listed(*comparison);
  EXPECT_EQ(comparison->patterns.size(), 5u);
  EXPECT_EQ(comparison->writes.size(), 4u);
}

class MistakenEstimates : public ::testing::TestWithParam<Mistake> {};

TEST_P(MistakenEstimates, AreFound) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  Model mistaken = read.model;
  GetParam().make(mistaken);
  const auto comparison = CompareEstimates(read.model, {.mistaken = &mistaken});
  ASSERT_TRUE(comparison.has_value()) << comparison.error().message;
  EXPECT_FALSE(comparison->all_agree) << Listed(*comparison);
}

INSTANTIATE_TEST_SUITE_P(Shop, MistakenEstimates, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return test.param.name; });

// The same model, rows and seed give the same figures, whatever the machine does meanwhile.
TEST(Estimates, AreTheSameTwice) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  const auto first = CompareEstimates(read.model, {.rows = 500});
  const auto second = CompareEstimates(read.model, {.rows = 500});
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(Listed(*first), Listed(*second));
}

}  // namespace
}  // namespace prejoin::model
