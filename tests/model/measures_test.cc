// Counts and sums, and the two sides of one relationship: what is refused, what is read, and figures computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/advise/facts.h"
#include "model/check/check.h"
#include "model/cost/write_cost.h"
#include "model/data/evaluate.h"
#include "model/generate/generate.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"
#include "model/bind/read_model.h"
#include "model/syntax/formatter.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string TextOfExample(const std::string& name) {
  return ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" + name + ".prejoin");
}

struct WrongMeasure {
  const char* name;
  const char* part;  // Of kShop: what is replaced …
  const char* with;  // … by what.
  const char* said;  // In the message or its suggestion.
};

void PrintTo(const WrongMeasure& one, std::ostream* out) { *out << one.name; }

constexpr const char* kShop = R"(entity User {
  id   text(8) key
  name text(12)
}
entity Follow {
  followerId references User.id key
  followedId references User.id key
  since      date
}
entity Order {
  userId references User.id key
  id     text(8) key
  total  number(4)
}
relationship Follows: User many-to-many User through Follow {
  each User by followerId has ~50
  each User by followedId has ~50
}
relationship Orders: User one-to-many Order {
  each User has ~10
}
pattern HowMany {
  count Order where userId = :user
}
)";

std::string With(const std::string& part, const std::string& with) {
  std::string text = kShop;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), with);
}

class WrongMeasures : public ::testing::TestWithParam<WrongMeasure> {};

TEST_P(WrongMeasures, IsOneClearError) {
  const auto findings = ReadModel(With(GetParam().part, GetParam().with)).diagnostics;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_THAT(findings[0].message + " / " + findings[0].suggestion.text(),
              HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongMeasures,
    ::testing::ValuesIn(std::vector<WrongMeasure>{
        {"Limit", "= :user\n", "= :user limit 5\n", "`count` gives one number and takes no `limit`"},
        {"Order", "= :user\n", "= :user order by id\n", "takes no `order`"},
        {"Get", "= :user\n", "= :user get id\n", "takes no `get`"},
        {"Via", "count Order where userId", "count User via Follow where followerId",
         "count the links themselves"},
        {"GroupBy", "= :user\n", "= :user group by total\n", "DynamoDB has no GROUP BY"},
        {"CountNothing", "count Order where userId = :user", "count", "expected an entity"},
        {"CountUnknown", "count Order", "count Orders", "there is no entity `Orders`"},
        {"SumOfEntity", "count Order", "sum Order", "`sum` needs an entity and an attribute"},
        {"SumOfText", "count Order", "sum Order.id", "`id` is no number and cannot be added up"},
        {"SumOfNothing", "count Order", "sum Order.price", "has no attribute `price`"},
        {"CountAsInSql", "count Order where", "find count(*) from Order where",
         "write: count Order where"},
        {"SumAsInSql", "count Order where userId = :user",
         "find Order where userId = :user get sum(total)", "write: sum Order.total where"},
        {"MaxAsInSql", "count Order where userId = :user",
         "find Order where userId = :user get max(total)", "order by total desc limit 1"},
        {"SideTwice", "by followedId has", "by followerId has", "`each User` is stated twice"},
        {"SideMissing", "  each User by followedId has", "  each User has",
         "each User by attribute has"},
        {"SideOfNothing", "by followedId has", "by followed has", "has no attribute `followed`"},
        {"SideThatPointsNowhere", "by followedId has", "by since has",
         "`Follow.since` does not reference `User`"},
        {"EachTwice", "  each User has ~10", "  each User has ~10\n  each User has ~20",
         "`each User` is stated twice"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(Measures, TheModelOfTheseTestsIsRight) { EXPECT_THAT(ReadModel(kShop).diagnostics, IsEmpty()); }

TEST(Measures, FormattingKeepsTheMeaning) {
  for (const char* name : {"s04_followers", "s05_counts"}) {
    const std::string text = TextOfExample(name);
    EXPECT_EQ(FormatTree(ReadModel(text).tree), text) << name;
  }
}

TEST(Measures, TheRelationalAnswerIsOneNumber) {
  const ReadModelResult read = ReadModel(TextOfExample("s05_counts"));
  ASSERT_TRUE(read.ok);
  const Dataset sample = SampleData(read.model);
  DataIndex index(sample);
  const auto answer = [&](const char* pattern, const char* member) {
    return EvaluatePattern(read.model, *read.model.FindPattern(pattern),
                           {{"member", AttributeValue(member)}}, index)
        .at(0);
  };
  EXPECT_EQ(*answer("HowMany", "m1").rows.at(0).Find("count"), AttributeValue(3));
  EXPECT_EQ(*answer("HowMuch", "m1").rows.at(0).Find("sum"), AttributeValue(225));
  EXPECT_EQ(*answer("Overdue", "m1").rows.at(0).Find("count"), AttributeValue(1));
  // Nothing is counted, and that is an answer.
  EXPECT_EQ(*answer("HowMany", "m2").rows.at(0).Find("count"), AttributeValue(0));
  EXPECT_EQ(answer("HowMany", "m2").found, 0u);
  EXPECT_EQ(*answer("HowMuch", "m2").rows.at(0).Find("sum"), AttributeValue(0));
}

// Each figure is computed in the file's comment.
TEST(Measures, FiguresWorkedByHand) {
  const ReadModelResult counts = ReadModel(TextOfExample("s05_counts"));
  Expectations of_counts(counts.model);
  const auto reads = [](Expectations& figures, const char* pattern) {
    return PlanPattern(figures, *figures.model().FindPattern(pattern)).estimate.read_units;
  };
  EXPECT_DOUBLE_EQ(reads(of_counts, "HowMany"), 1.5);
  EXPECT_DOUBLE_EQ(reads(of_counts, "HowMuch"), 1.5);
  EXPECT_DOUBLE_EQ(reads(of_counts, "Overdue"), 0.5);
  EXPECT_DOUBLE_EQ(reads(of_counts, "Kept"), 0.5);
  EXPECT_DOUBLE_EQ(EstimateWrite(of_counts, *counts.model.FindWrite("Borrow")).total_units, 4);

  const ReadModelResult follows = ReadModel(TextOfExample("s04_followers"));
  Expectations of_follows(follows.model);
  const Entity& follow = *follows.model.FindEntity("Follow");
  EXPECT_DOUBLE_EQ(of_follows.Count(follow), 5'000'000);
  EXPECT_DOUBLE_EQ(of_follows.Most(follow, {"followerId"}), 2000);
  EXPECT_DOUBLE_EQ(of_follows.Most(follow, {"followedId"}), 0);
  EXPECT_DOUBLE_EQ(reads(of_follows, "Following"), 0.5);
  EXPECT_NEAR(reads(of_follows, "Followers"), 2.94, 0.03);
  EXPECT_DOUBLE_EQ(
      EstimateWrite(of_follows, *follows.model.FindWrite("FollowSomebody")).total_units, 2);
  EXPECT_NEAR(of_follows.HottestShare(follow, {"followedId"}), 0.01, 1e-6);
  EXPECT_LT(of_follows.HottestShare(follow, {"followerId"}), 1e-3);
}

// A sum that an index does not hold is fetched; a count is not.
TEST(Measures, ACountNeedsNoAttribute) {
  std::string text = TextOfExample("s05_counts");
  const std::size_t at = text.find("  count Loan where memberId = :member and exists(overdue)");
  ASSERT_NE(at, std::string::npos);
  const auto requests = [](const std::string& source) {
    const ReadModelResult read = ReadModel(source);
    EXPECT_TRUE(read.ok);
    return PlanPattern(read.model, *read.model.FindPattern("Overdue")).estimate.read_units;
  };
  EXPECT_DOUBLE_EQ(requests(text), 0.5);
  text.replace(at, std::string("  count Loan").size(), "  sum Loan.fee");
  // The local index fetches two loans for their fee.
  EXPECT_GT(requests(text), 1);
}

ProofReport ProofOfText(const std::string& text) {
  const ReadModelResult read = ReadModel(text);
  EXPECT_TRUE(read.ok);
  auto backend = EmbeddedBackend::OpenInMemory();
  auto report = ProveAtScale(read.model, {}, **backend, {});
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return *std::move(report);
}

TEST(Measures, TheExamplesAreProved) {
  for (const char* name : {"s04_followers", "s05_counts"}) {
    const ProofReport report = ProofOfText(TextOfExample(name));
    EXPECT_TRUE(report.all_right) << name;
    for (const PatternProof& pattern : report.patterns) {
      EXPECT_GT(pattern.rows_found, 0u) << pattern.name;
      EXPECT_THAT(pattern.problems, IsEmpty()) << pattern.name;
    }
  }
}

// An example says how many rows are counted.
TEST(Measures, AnExampleWithAnotherNumberIsRefuted) {
  std::string text = TextOfExample("s05_counts");
  text.insert(text.find("  \"m1\", \"l1\""), "  \"m1\", \"l0\", 1, -\n");
  const ProofReport report = ProofOfText(text);
  EXPECT_FALSE(report.patterns.at(0).right);
  EXPECT_THAT(report.patterns.at(0).problems, ::testing::Contains(HasSubstr("the example says 3")));
}

// The sparse index has one of a hundred loans.
TEST(Measures, ACountUsesNoIndexThatLacksRows) {
  std::string text = TextOfExample("s05_counts");
  const std::string condition = " and exists(overdue)";
  text.erase(text.find(condition), condition.size());
  EXPECT_DOUBLE_EQ(
      PlanPattern(ReadModel(text).model, ReadModel(text).model.patterns[2]).estimate.read_units, 1.5);
}

// A message has a sender and a recipient: two relationships between the same two entities.
TEST(Sides, TwoRelationshipsHaveTheirOwnFigures) {
  const ReadModelResult read = ReadModel(R"(entity User {
  id    text(8) key
  count 1_000
}
entity Message {
  id     text(8) key
  fromId references User.id
  toId   references User.id
}
relationship Sent: User one-to-many Message by fromId {
  each User has ~20, at most 100
}
relationship Received: User one-to-many Message by toId {
  each User has ~20, unbounded, hottest 10%
}
)");
  ASSERT_TRUE(read.ok);
  Expectations figures(read.model);
  const Entity& message = *read.model.FindEntity("Message");
  const Entity& user = *read.model.FindEntity("User");
  EXPECT_DOUBLE_EQ(figures.Most(message, {"fromId"}), 100);
  EXPECT_DOUBLE_EQ(figures.Most(message, {"toId"}), 0);
  EXPECT_FALSE(figures.SkewUnder(message, user, {"fromId"}).skew.given());
  EXPECT_TRUE(figures.SkewUnder(message, user, {"toId"}).skew.given());
  EXPECT_LT(figures.HottestShare(message, {"fromId"}), 0.01);
  EXPECT_NEAR(figures.HottestShare(message, {"toId"}), 0.1, 1e-6);
  EXPECT_TRUE(figures.SkewsOf(message, {"fromId"}).empty());
  EXPECT_EQ(figures.SkewsOf(message, {"toId"}).size(), 1u);
}

TEST(Sides, GeneratedLinksFollowBothSides) {
  const ReadModelResult read = ReadModel(TextOfExample("s04_followers"));
  ASSERT_TRUE(read.ok);
  GenerateOptions options;
  options.rows = 20'000;
  options.as_stated = true;
  const Dataset data = GenerateData(read.model, options);
  std::map<std::string, int> followers;
  std::map<std::string, int> following;
  for (const Row& row : data.Of("Follow")) {
    ++following[*row.Find("followerId")->string()];
    ++followers[*row.Find("followedId")->string()];
  }
  const auto most = [](const std::map<std::string, int>& counts) {
    int top = 0;
    for (const auto& [user, count] : counts) {
      top = std::max(top, count);
    }
    return top;
  };
  const auto links = static_cast<double>(data.Of("Follow").size());
  ASSERT_GT(links, 1000);
  EXPECT_GT(most(followers), 1.5 * most(following));
}

// A condition binds one end of a link, and the rows are at the other.
TEST(Sides, ViaLeadsToTheOtherEnd) {
  std::string text = TextOfExample("s04_followers");
  text.insert(text.find("pattern Profile"),
              "pattern FollowedUsers {\n  find User via Follow where followerId = :user get id\n"
              "  example user = \"u000000001\" gives 2\n}\n"
              "pattern FollowingUsers {\n  find User via Follow where followedId = :user get id\n"
              "  example user = \"u000000003\" gives 2\n}\n");
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  const Dataset sample = SampleData(read.model);
  DataIndex index(sample);
  const auto ids = [&](const char* pattern, const char* user) {
    std::vector<std::string> found;
    const auto answers = EvaluatePattern(read.model, *read.model.FindPattern(pattern),
                                         {{"user", AttributeValue(user)}}, index);
    for (const Row& row : answers.at(0).rows) {
      found.push_back(*row.Find("id")->string());
    }
    return found;
  };
  EXPECT_THAT(ids("FollowedUsers", "u000000001"),
              ::testing::UnorderedElementsAre("u000000002", "u000000003"));
  EXPECT_THAT(ids("FollowingUsers", "u000000003"),
              ::testing::UnorderedElementsAre("u000000001", "u000000002"));
  EXPECT_TRUE(ProofOfText(text).all_right);
}

TEST(Sides, AdviceReadsBothDirections) {
  const ReadModelResult read = ReadModel(TextOfExample("s04_followers"));
  ASSERT_TRUE(read.ok);
  const RelationshipFacts facts = FactsOf(read.model, read.model.relationships[0]);
  EXPECT_DOUBLE_EQ(facts.reads_from_parent, 100);
  EXPECT_DOUBLE_EQ(facts.reads_from_child, 20);
  EXPECT_DOUBLE_EQ(facts.reads_by_value, 0);
  EXPECT_DOUBLE_EQ(facts.children_each, 50);
  EXPECT_DOUBLE_EQ(facts.children_bound, 2000);
  EXPECT_EQ(facts.hottest_key, "Follow.followedId");
}

TEST(Sides, CountsThatDisagreeKeepTheirWords) {
  const std::string text =
      With("  each User by followedId has ~50", "  each User by followedId has ~500, zipf 1.1");
  bool found = false;
  for (const Diagnostic& finding : CheckModel(ReadModel("model \"M\"\n" + text))) {
    if (finding.rule != "PJ223") {
      continue;
    }
    found = true;
    EXPECT_THAT(finding.suggestion.text(), HasSubstr("each User by followedId has ~50, unbounded"));
    EXPECT_THAT(finding.suggestion.text(), HasSubstr("zipf 1.1"));
  }
  EXPECT_FALSE(found);  // Without a count nothing can disagree.
  std::string counted = "model \"M\"\n" + text;
  counted.insert(counted.find("  name text(12)"), "  count 1_000\n");
  for (const Diagnostic& finding : CheckModel(ReadModel(counted))) {
    if (finding.rule == "PJ223") {
      found = true;
      EXPECT_THAT(finding.suggestion.text(),
                  HasSubstr("each User by followedId has ~50, unbounded, zipf 1.1"));
    }
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace prejoin::model
