// The rows of advice that an audit found wrong, each on the seeds' own data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/advise/advise.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/plan/planner.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Source(const std::string& name) {
  return ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" + name + ".prejoin");
}

std::vector<Advice> AdviceOf(const ReadModelResult& read, double scale = 1) {
  AdviseOptions options;
  options.scale = scale;
  return Advise(read.model, Prices(), options);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const StrategyPrice& PriceNamed(const Advice& advice, const std::string& name) {
  return *std::ranges::find_if(
      advice.prices, [&](const StrategyPrice& price) { return price.strategy->name == name; });
}

// R10, P11, C24: a thousand times the load on a thousand times the students is not one hot key.
TEST(AdviseRows, ShardingFollowsTheHottestKeyNotTheTotal) {
  const ReadModelResult read = ReadModel(Source("d04_students_and_courses"));
  for (const Advice& advice : AdviceOf(read, 1000)) {
    EXPECT_THAT(advice.recommended, Not(Contains(FindStrategy("write-sharding"))));
  }
}

// One course that takes 60 % of the requests takes 60 % of those for its enrolments.
TEST(AdviseRows, AHotParentHeatsItsEdges) {
  const std::string source = Source("d04_students_and_courses");
  const ReadModelResult even = ReadModel(source);
  const Entity* course = even.model.FindEntity("Course");
  ASSERT_NE(course, nullptr);
  const Attribute& id = *course->Find(course->KeyNames()[0]);
  // Behind the declaration of the course's key.
  std::string skewed = source;
  const std::size_t line = skewed.find("entity Course");
  const std::size_t key = skewed.find(" key", skewed.find(id.name.text, line));
  skewed.insert(key + 4, " hottest 60%");
  const ReadModelResult hot = ReadModel(skewed);
  ASSERT_TRUE(hot.ok);
  const auto share = [](const ReadModelResult& read) {
    Expectations figures(read.model);
    const Entity& edge = *read.model.FindEntity("Enrollment");
    return figures.HottestShare(*figures.model().FindEntity("Enrollment"),
                                PointingAt(edge, *read.model.FindEntity("Course")));
  };
  EXPECT_LT(share(even), 0.1);
  EXPECT_NEAR(share(hot), 0.6, 0.01);
}

// P3, C21: the price of not copying stands beside that of copying.
TEST(AdviseRows, TheBenefitOfACopyIsVisible) {
  const Advice advice = AdviceOf(ReadModel(Source("p03_duplicate_attributes"))).at(0);
  EXPECT_THAT(advice.in_use, Not(Contains(FindStrategy("references"))));
  const StrategyPrice& copies = PriceNamed(advice, "duplicate-attributes");
  const StrategyPrice& without = PriceNamed(advice, "references");
  ASSERT_TRUE(without.legal) << without.reason;
  EXPECT_GT(without.money_per_month, 1.5 * copies.money_per_month);
  EXPECT_EQ(copies.round_trips, 1);
  EXPECT_EQ(without.round_trips, 2);
}

// P5, R6, R9: a hierarchy is no complex attribute, and has rows.
TEST(AdviseRows, HierarchiesAreReadFromTheirLevels) {
  for (const char* name : {"p05_composite_sort_key", "d09_starbucks", "l03_places"}) {
    for (const Advice& advice : AdviceOf(ReadModel(Source(name)))) {
      if (advice.relationship->kind != RelationshipKind::kHierarchy) {
        continue;
      }
      EXPECT_THAT(advice.in_use, Not(Contains(FindStrategy("complex-attribute")))) << name;
      EXPECT_THAT(advice.in_use, Contains(FindStrategy("composite-sort-key"))) << name;
      EXPECT_GT(advice.facts.children_each, 1) << name;
      EXPECT_THAT(advice.path, Not(Contains(Field(&DecisionStep::text, HasSubstr("about 0,")))))
          << name;
      EXPECT_THAT(advice.path,
                  Not(Contains(Field(&DecisionStep::text, HasSubstr("has about 0 KB")))))
          << name;
    }
  }
}

TEST(AdviseRows, OneLevelAloneNeedsNoPath) {
  const ReadModelResult read = ReadModel(
      "entity Store {\n  id text(~8) key\n  country text(~2)\n  state text(~2)\n  zip text(~5) "
      "distinct 30_000\n  count 20_000\n}\nhierarchy Places: Store by country > state > zip\n"
      "pattern ByZip {\n  find Store where zip = :zip\n  rate 5/s\n}\n");
  ASSERT_TRUE(read.ok);
  const Advice advice = AdviceOf(read).at(0);
  EXPECT_THAT(advice.path,
              Contains(Field(&DecisionStep::text, HasSubstr("Whole subtree wanted at each? no"))));
  EXPECT_THAT(advice.recommended, Not(Contains(FindStrategy("composite-sort-key"))));
}

// R9: advice and cost measure one collection alike.
TEST(AdviseRows, CollectionsHaveTheSizeThatCostGivesThem) {
  const ReadModelResult read = ReadModel(Source("d08_saas_orgs"));
  Expectations figures(read.model);
  for (const Advice& advice : AdviceOf(read)) {
    const Model::Placement placement = read.model.FindPlacement(advice.relationship->to.text);
    EXPECT_DOUBLE_EQ(advice.facts.child_bytes,
                     figures.EntryBytes(advice.relationship->to, View{placement.table, nullptr}));
  }
}

// R8 (Vanathi): tickets are read by their id more often than with their user.
TEST(AdviseRows, ItemsThatAreReadAloneMayHaveAPartitionEach) {
  for (const Advice& advice : AdviceOf(ReadModel(Source("d08_saas_orgs")))) {
    if (advice.relationship->name.text == "UserTickets") {
      EXPECT_THAT(advice.path, Contains(Field(&DecisionStep::text,
                                              HasSubstr("a partition key for each item is fine"))));
    }
  }
}

// X1: 001's tip. # sorts before the letters, and nothing in the file says that this is meant.
TEST(AdviseRows, ALeadingDelimiterIsNoticed) {
  const std::string text =
      "entity Customer {\n  id text key\n  name text\n}\nentity Order {\n"
      "  customerId references Customer.id key\n  id text key\n}\npattern P {\n"
      "  find Customer where id = :c\n  find Order where customerId = :c\n}\n"
      "table T partition PK sort SK {\n  item Customer {\n    PK = \"CUSTOMER#{id}\"\n"
      "    SK = \"CUSTOMER#{id}\"\n  }\n  item Order {\n    PK = \"CUSTOMER#{customerId}\"\n"
      "    SK = \"#ORDER#{id}\"\n  }\n}\n";
  const auto rules = [](const std::string& source) {
    std::vector<std::string> found;
    for (const Diagnostic& finding : CheckModel(ReadModel(source))) {
      found.push_back(finding.rule);
    }
    return found;
  };
  EXPECT_THAT(rules(text), Contains("PJ302"));
  EXPECT_THAT(rules(Replaced(text, "  item Customer {",
                             "  sorts Order before Customer\n  item Customer {")),
              Not(Contains("PJ302")));
}

// X14: d08's own rows, without the line that allows them.
TEST(AdviseRows, TheLocalTimesOfTheDocumentAreNoticed) {
  const std::string source = Source("d08_saas_orgs");
  const std::size_t allow = source.find("allow PJ220");
  ASSERT_NE(allow, std::string::npos);
  std::string bare = source;
  bare.erase(allow, source.find('\n', allow) - allow);
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(bare));
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Diagnostic& finding) {
    return finding.rule == "PJ220" && finding.message.find("2019-09-25 22:31:54") == 1;
  }));
}

// Christos: 20 million organisations at 50 requests a second do not fit under one key.
TEST(AdviseRows, TheAlternativeToAScanIsShardedWhenItMustBe) {
  const auto proposed = [](const std::string& count, const std::string& limit) {
    const std::string text = "entity Org {\n  id text(~9) key\n  name text(~9)\n  count " + count +
                             "\n}\npattern All {\n  find Org" + limit +
                             "\n  rate 50/s\n}\ntable T partition PK {\n  item Org {\n"
                             "    PK = \"ORG#{id}\"\n  }\n}\n";
    for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
      if (finding.rule == "PJ101") {
        return finding.suggestion.text();
      }
    }
    return std::string("no finding");
  };
  EXPECT_THAT(proposed("20_000_000", ""), HasSubstr("shard"));
  EXPECT_THAT(proposed("200", " limit 20"), Not(HasSubstr("shard")));
}

TEST(AdviseRows, OneScreenForEachRelationship) {
  const ReadModelResult read = ReadModel(Source("d04_students_and_courses"));
  const std::string text = RenderAdvice(AdviceOf(read), Prices(), 100);
  EXPECT_LE(std::ranges::count(text, '\n'), 24) << text;
  for (const char* part : {"Why: ", "Runner-up: ", "What would change the choice", "/month"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace prejoin::model
