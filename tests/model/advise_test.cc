// Advice: what each strategy would cost is what the engine measures when the design is run.
#include "model/advise/advise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/generate/generate.h"
#include "model/plan/combinations.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/prove/run_plan.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;

// Every row has exactly the declared sizes and numbers, so that expectation and measurement must
// agree to the half unit.
const char* const kLinks = R"(entity Student {
  id    text(4) key
  name  text(20)
  count 40
}
entity Course {
  id    text(4) key
  title text(30)
  count 20
}
entity Enrollment {
  studentId references Student.id key
  courseId  references Course.id key
  note      text(60)
}
relationship Enrolments: Student many-to-many Course through Enrollment {
  each Student has ~10, at most 10
  each Course has ~20, at most 20
}
pattern Courses {
  find Enrollment where studentId = :s get courseId, note, Course.title
  rate 40/s
}
pattern Roster {
  find Enrollment where courseId = :c get studentId, Student.name
  rate 10/s
}
write Enrol {
  put Enrollment
  rate 3/s
}
)";

const char* const kChildren = R"(entity Customer {
  id    text(4) key
  name  text(40)
  count 20
}
entity Order {
  customerId references Customer.id key
  id         text(6) key
  text       text(280)
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~15, at most 15
}
pattern All {
  find Customer where id = :c
  find Order where customerId = :c order by id
  rate 20/s
}
write Put {
  put Order
  rate 5/s
}
)";

std::string Padded(const std::string& letter, int number, std::size_t length) {
  std::string digits = std::to_string(number);
  return letter + std::string(length - digits.size() - 1, '0') + digits;
}

Dataset LinkData() {
  Dataset data;
  for (int i = 0; i < 40; ++i) {
    data.rows["Student"].push_back({{"id", Padded("s", i, 4)}, {"name", Padded("n", i, 20)}});
  }
  for (int i = 0; i < 20; ++i) {
    data.rows["Course"].push_back({{"id", Padded("c", i, 4)}, {"title", Padded("t", i, 30)}});
  }
  for (int student = 0; student < 40; ++student) {
    for (int i = 0; i < 10; ++i) {
      data.rows["Enrollment"].push_back({{"studentId", Padded("s", student, 4)},
                                         {"courseId", Padded("c", (student + 2 * i) % 20, 4)},
                                         {"note", Padded("e", i, 60)}});
    }
  }
  return data;
}

Dataset ChildData() {
  Dataset data;
  for (int i = 0; i < 20; ++i) {
    data.rows["Customer"].push_back({{"id", Padded("c", i, 4)}, {"name", Padded("n", i, 40)}});
    for (int k = 0; k < 15; ++k) {
      data.rows["Order"].push_back({{"customerId", Padded("c", i, 4)},
                                    {"id", Padded("o", k, 6)},
                                    {"text", Padded("t", k, 280)}});
    }
  }
  return data;
}

// Proves the design of each strategy that fits and compares units with the price. Gives the names.
std::set<std::string> ExpectMeasuredPrices(const std::string& text, const Dataset& data) {
  const ReadModelResult read = ReadModel(text);
  EXPECT_TRUE(read.ok);
  const Model workload = WorkloadOf(read.model, read.model.relationships[0]);
  const Relationship& relationship = workload.relationships[0];
  std::set<std::string> measured;
  for (const Strategy& strategy : AllStrategies()) {
    const bool many = relationship.kind == RelationshipKind::kManyToMany;
    if (!(many ? strategy.for_many_to_many : strategy.for_one_to_many)) {
      continue;
    }
    const StrategyPrice price =
        PriceOf(strategy, workload, relationship, FactsOf(workload, relationship), Prices());
    std::string why_not;
    const auto design = DesignWith(workload, relationship, strategy, why_not);
    if (!price.legal) {
      EXPECT_FALSE(price.reason.empty()) << strategy.name;
      continue;
    }
    auto backend = EmbeddedBackend::OpenInMemory();
    const auto proof = Prove(design->model, data, **backend, {});
    EXPECT_TRUE(proof.has_value()) << proof.error().message;
    if (!proof.has_value()) {
      continue;
    }
    EXPECT_TRUE(proof->all_right) << strategy.name << "\n" << RenderProof(*proof, true);
    // On rows that are there: the proof also asks for some that are not.
    double read_units = 0;
    for (const Plan& plan : PlanAll(design->model)) {
      const auto run =
          RunPlan(design->model, plan,
                  {{"s", AttributeValue("s000")}, {"c", AttributeValue("c001")}}, **backend);
      EXPECT_TRUE(run.has_value());
      if (run.has_value()) {
        read_units += plan.pattern->rate_per_second * run->read_units;
      }
    }
    EXPECT_NEAR(price.read_units_per_second, read_units, 0.01) << strategy.name;
    double write_units = 0;
    for (std::size_t i = 0; i < proof->writes.size(); ++i) {
      write_units += design->model.writes[i].rate_per_second * proof->writes[i].measured_units;
    }
    EXPECT_NEAR(price.write_units_per_second, write_units, 0.01) << strategy.name;
    measured.emplace(strategy.name);
  }
  return measured;
}

TEST(AdvisePrices, LinksCostWhatTheEngineMeasures) {
  const std::set<std::string> measured = ExpectMeasuredPrices(kLinks, LinkData());
  for (const char* name : {"inverted-index", "inverted-base-keys", "duplicate-attributes"}) {
    EXPECT_TRUE(measured.contains(name)) << name;
  }
  EXPECT_FALSE(measured.contains("adjacency-list")) << "the roster has no key";
}

TEST(AdvisePrices, ChildrenCostWhatTheEngineMeasures) {
  const std::set<std::string> measured = ExpectMeasuredPrices(kChildren, ChildData());
  for (const char* name : {"item-collection", "secondary-index", "complex-attribute"}) {
    EXPECT_TRUE(measured.contains(name)) << name;
  }
}

// Without names of the other side the lists of shallow duplication are enough, and cost two writes.
TEST(AdvisePrices, ListsOnBothSidesCostWhatTheEngineMeasures) {
  std::string text = kLinks;
  for (const std::string part : {", Course.title", ", Student.name"}) {
    text.erase(text.find(part), part.size());
  }
  EXPECT_TRUE(ExpectMeasuredPrices(text, LinkData()).contains("shallow-duplication"));
}

// Names of the other side are part of the price: without copies each takes a BatchGetItem.
TEST(AdvisePrices, JoinsOfNamesArePaidFor) {
  const ReadModelResult read = ReadModel(kLinks);
  const Model workload = WorkloadOf(read.model, read.model.relationships[0]);
  const Relationship& relationship = workload.relationships[0];
  const RelationshipFacts facts = FactsOf(workload, relationship);
  const StrategyPrice joined =
      PriceOf(*FindStrategy("inverted-index"), workload, relationship, facts, Prices());
  const StrategyPrice copied =
      PriceOf(*FindStrategy("duplicate-attributes"), workload, relationship, facts, Prices());
  EXPECT_EQ(joined.round_trips, 2);
  EXPECT_EQ(copied.round_trips, 1);
  // Ten titles for each student, twenty names for each course, half a unit each.
  EXPECT_NEAR(joined.read_units_per_second - copied.read_units_per_second, 40 * 5 + 10 * 10, 20);
}

// The index by the product's id fetches the name and joins the title: it keeps both, so the strategy serves the page.
TEST(AdvisePrices, AnIndexKeepsTheCopyBesideWhatItFetches) {
  const ReadModelResult read = ReadModel(
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/p03_duplicate_attributes.prejoin"));
  ASSERT_TRUE(read.ok);
  const Model workload = WorkloadOf(read.model, read.model.relationships[0]);
  const Relationship& relationship = workload.relationships[0];
  const StrategyPrice price = PriceOf(*FindStrategy("duplicate-attributes"), workload, relationship,
                                      FactsOf(workload, relationship), Prices());
  EXPECT_TRUE(price.legal) << price.reason;
  EXPECT_EQ(price.round_trips, 1);
}

// Designs that are not made for a test either: every example, on generated rows.
TEST(AdvisePrices, EveryDesignOfEveryExampleProvesRight) {
  int designs = 0;
  for (const std::string& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    for (const Relationship& original : read.model.relationships) {
      Model workload = WorkloadOf(read.model, original);
      for (Pattern& pattern : workload.patterns) {
        pattern.examples.clear();
      }
      const Relationship& relationship = *workload.FindRelationship(original.name.text);
      GenerateOptions options;
      options.rows = 200;
      const Dataset data = GenerateData(workload, options);
      for (const Strategy& strategy : AllStrategies()) {
        std::string why_not;
        const StrategyPrice price =
            PriceOf(strategy, workload, relationship, FactsOf(workload, relationship), Prices());
        if (!price.legal) {
          continue;
        }
        const auto design = DesignWith(workload, relationship, strategy, why_not);
        auto backend = EmbeddedBackend::OpenInMemory();
        ProveOptions prove;
        prove.argument_sets = 4;
        const auto proof = Prove(design->model, data, **backend, prove);
        ASSERT_TRUE(proof.has_value()) << BaseName(file) << " " << strategy.name;
        EXPECT_TRUE(proof->all_right) << BaseName(file) << " " << strategy.name << "\n"
                                      << RenderProof(*proof, true);
        ++designs;
      }
    }
  }
  EXPECT_GT(designs, 60);
}

TEST(Advise, SaysForEachRelationshipStrategyPathPricesAndFlip) {
  for (const std::string& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    for (const Advice& advice : Advise(read.model, Prices())) {
      EXPECT_FALSE(advice.recommended.empty()) << file;
      EXPECT_GE(advice.path.size(), 3u) << file;
      EXPECT_GE(advice.prices.size(), 5u) << file;
      EXPECT_FALSE(advice.flips.empty()) << file;
      for (const DecisionStep& step : advice.path) {
        EXPECT_THAT(step.text, HasSubstr(" (")) << file;
      }
      // What is advised can be done: of links and their index, at least the two together.
      const auto possible = [&](const Strategy* strategy) {
        return std::ranges::any_of(advice.prices, [&](const StrategyPrice& price) {
          return price.strategy == strategy && price.legal;
        });
      };
      EXPECT_TRUE(advice.relationship->kind == RelationshipKind::kManyToMany
                      ? std::ranges::any_of(advice.recommended, possible)
                      : std::ranges::all_of(advice.recommended, possible))
          << file << " " << advice.relationship->name.text;
    }
  }
}

// The flip is where it says: just below it one strategy is cheaper, just above it the other.
TEST(Advise, TheFlipPointIsWherePricesCross) {
  const std::string text =
      std::string(kLinks) + "write Rename {\n  update Course set title\n  rate 1/s\n}\n";
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  const std::vector<Advice> advice = Advise(read.model, Prices());
  const std::string mark = "becomes the cheaper of the two when writes pass ";
  const auto flip =
      std::find_if(advice[0].flips.begin(), advice[0].flips.end(),
                   [&](const std::string& line) { return line.find(mark) != std::string::npos; });
  ASSERT_NE(flip, advice[0].flips.end()) << ::testing::PrintToString(advice[0].flips);
  EXPECT_TRUE(flip->starts_with("inverted-index "));
  const double rate = std::stod(flip->substr(flip->find(mark) + mark.size()));
  const auto apart = [&](double writes) {
    Model workload = WorkloadOf(read.model, read.model.relationships[0]);
    for (Write& write : workload.writes) {
      write.rate_per_second *= writes / 4;  // 3/s and 1/s now.
    }
    const Relationship& relationship = workload.relationships[0];
    const RelationshipFacts facts = FactsOf(workload, relationship);
    const auto money = [&](const char* name) {
      return PriceOf(*FindStrategy(name), workload, relationship, facts, Prices()).money_per_month;
    };
    return money("inverted-index") - money("duplicate-attributes");
  };
  EXPECT_GT(apart(rate * 0.99), 0) << *flip;
  EXPECT_LT(apart(rate * 1.01), 0) << *flip;
}

const char* const kStores = R"(entity Store {
  id      text(6) key
  country text(3)
  state   text(6)
  city    text(6)
  zip     text(5)
}
pattern ByPlace {
  find Store where WHERE
  rate 16/s
}
table T partition PK {
  item Store {
    PK = "STORE#{id}"
  }
}
)";

std::string StoresWhere(const std::string& where) {
  std::string text = kStores;
  return text.replace(text.find("WHERE"), 5, where);
}

// The fewest keys, by the theory of chains: n over n/2 for n optional conditions.
TEST(Combinations, TheFewestKeysServeEveryCombination) {
  struct Case {
    const char* where;
    std::size_t combinations;
    std::size_t keys;
    std::size_t elsewhere;
  };
  const std::vector<Case> cases = {
      {"country = :a and optional state = :b", 2, 1, 0},
      {"country = :a and optional state = :b and optional city = :c", 4, 2, 0},
      {"country = :a and optional state = :b and optional city = :c and optional zip = :d", 8, 3,
       0},
      {"optional country = :a and optional state = :b and optional city = :c and optional zip = :d",
       16, 6, 1},
      {"country = :a and optional zip between :b and :c", 2, 1, 0},
      {"country = :a and optional zip > :b and optional city > :c", 4, 2, 1},
      {"country = :a and optional contains(city, :c)", 2, 1, 1},
  };
  for (const Case& one : cases) {
    const ReadModelResult read = ReadModel(StoresWhere(one.where));
    ASSERT_TRUE(read.ok) << one.where;
    EXPECT_EQ(read.model.patterns.size(), one.combinations);
    EXPECT_EQ(read.model.patterns[0].rate_per_second, 16.0 / static_cast<double>(one.combinations));
    const std::vector<CombinationAdvice> advice = AdviseCombinations(read.model);
    ASSERT_EQ(advice.size(), 1u);
    EXPECT_EQ(advice[0].keys.size(), one.keys) << RenderCombinations(advice);
    EXPECT_EQ(advice[0].elsewhere.size(), one.elsewhere) << RenderCombinations(advice);
    EXPECT_EQ(advice[0].unserved.size(), one.combinations) << "the table has no key for any";
    // With these keys every combination but those is served, none with a filter, and proved.
    Model design = read.model;
    Table& table = design.tables[0];
    int number = 0;
    for (const KeyChain& key : advice[0].keys) {
      const std::string name = "GSI" + std::to_string(++number);
      Index index;
      index.name.text = name;
      index.partition = {{name + "PK", {}}};
      index.sort = {{name + "SK", {}}};
      table.indexes.push_back(std::move(index));
      std::vector<Diagnostic> none;
      for (const auto& [end, text] : {std::pair{"PK", key.partition}, std::pair{"SK", key.sort}}) {
        StoredAttribute stored;
        stored.name.text = name + end;
        stored.key = ParseKeyTemplate(text, {}, none);
        table.items[0].attributes.push_back(std::move(stored));
      }
      EXPECT_TRUE(none.empty());
    }
    std::size_t unserved = 0;
    for (const Plan& plan : PlanAll(design)) {
      unserved += plan.served && plan.sections[0].filters.empty() ? 0 : 1;
    }
    EXPECT_EQ(unserved, one.elsewhere) << one.where;
    std::erase_if(design.patterns,
                  [&](const Pattern& pattern) { return !PlanPattern(design, pattern).served; });
    GenerateOptions options;
    options.rows = 300;
    auto backend = EmbeddedBackend::OpenInMemory();
    const auto proof = Prove(design, GenerateData(design, options), **backend, {});
    ASSERT_TRUE(proof.has_value());
    EXPECT_TRUE(proof->all_right) << RenderProof(*proof, true);
  }
}

TEST(Combinations, CheckReportsThemOnceAndExamplesGoToTheirCombination) {
  const std::string text = StoresWhere(
      "country = :a and optional city = :c\n  example a = \"USA\"\n  "
      "example a = \"USA\", c = \"OMAHA\" gives 1");
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.model.FindPattern("ByPlace")->examples.size(), 1u);
  EXPECT_EQ(read.model.FindPattern("ByPlace+city")->examples[0].rows, 1);
  int reported = 0;
  for (const Diagnostic& finding : CheckModel(read)) {
    if (finding.rule != "PJ101") {
      continue;
    }
    ++reported;
    EXPECT_THAT(finding.message, HasSubstr("2 of the 2 combinations"));
  }
  EXPECT_EQ(reported, 1);
  EXPECT_FALSE(
      ReadModel(StoresWhere("country = :a and optional city = :c\n  example c = \"OMAHA\"")).ok);
}

TEST(Combinations, SixOptionalConditionsAreAllowedAndSevenAreNot) {
  std::string where = "country = :a";
  for (int i = 0; i < 6; ++i) {
    where += " and optional zip = :z" + std::to_string(i);
  }
  EXPECT_TRUE(ReadModel(StoresWhere(where)).ok);
  EXPECT_FALSE(ReadModel(StoresWhere(where + " and optional city = :c")).ok);
}

}  // namespace
}  // namespace prejoin::model
