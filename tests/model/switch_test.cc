// What advice prices can be had: the switched design serves every pattern, costs what was said, and is proved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/advise/advise.h"
#include "model/advise/switch_strategy.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/generate/generate.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/strategy_match.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Visits have two parents, and all rows are found by their own key. The browser's test of the switch has it too.
std::string Practice() {
  return ReadFileForTesting(PREJOIN_SOURCE_DIR "/tests/model/practice.prejoin");
}

double BillOf(const Model& model) {
  return EstimateCost(model, PlanAll(model), Prices()).money_per_month;
}

std::string Switched(const std::string& source, const std::string& relationship,
                     const std::string& strategy) {
  const ReadModelResult read = ReadModel(source);
  EXPECT_TRUE(read.ok);
  std::string why_not;
  const auto design =
      StrategySwitches(read.model)
          .Make(*read.model.FindRelationship(relationship), *FindStrategy(strategy), why_not);
  return design ? WithTablesOf(read, design->model) : "no: " + why_not;
}

int CountLines(const std::string& text) { return static_cast<int>(std::ranges::count(text, '\n')); }

// Every switch that advice offers on this file: the text says what was priced, and the engine agrees. Gives how many.
int ExpectSwitchesHold(const std::string& name, const std::string& source) {
  const ReadModelResult read = ReadModel(source);
  EXPECT_TRUE(read.ok) << name;
  const auto serves = [](const Model& model) {
    return std::ranges::count_if(PlanAll(model), [](const Plan& plan) { return plan.served; });
  };
  int switches = 0;
  for (const Advice& advice : Advise(read.model, Prices())) {
    for (const StrategyPrice& price : advice.prices) {
      if (!price.switchable) {
        continue;
      }
      const std::string label =
          name + " " + advice.relationship->name.text + " as " + std::string(price.strategy->name);
      const std::string text =
          Switched(source, advice.relationship->name.text, std::string(price.strategy->name));
      ReadModelResult after = ReadModel(text);
      EXPECT_TRUE(after.ok) << label << "\n" << text;
      if (!after.ok) {
        continue;
      }
      EXPECT_EQ(StrategyMismatch(after.model,
                                 *after.model.FindRelationship(advice.relationship->name.text),
                                 *price.strategy),
                "")
          << label;
      EXPECT_GE(serves(after.model), serves(read.model)) << label;
      EXPECT_TRUE(advice.rates_assumed ||
                  std::abs(BillOf(after.model) - price.money_per_month) < 1e-6)
          << label << ": " << BillOf(after.model) << " " << price.money_per_month;
      EXPECT_TRUE(HasErrors(CheckModel(read)) || !HasErrors(CheckModel(after))) << label;
      for (Pattern& pattern : after.model.patterns) {
        pattern.examples.clear();
      }
      GenerateOptions options;
      options.rows = 150;
      auto backend = EmbeddedBackend::OpenInMemory();
      ProveOptions prove;
      prove.argument_sets = 3;
      const auto proof = Prove(after.model, GenerateData(after.model, options), **backend, prove);
      ++switches;
      EXPECT_TRUE(proof.has_value()) << label;
      if (!proof.has_value()) {
        continue;
      }
      EXPECT_TRUE(proof->all_right) << label << "\n" << RenderProof(*proof, true) << text;
    }
  }
  return switches;
}

TEST(Switch, EveryPriceOfEveryExampleCanBeHad) {
  int switches = 0;
  for (const std::string& file : SoundExampleFiles()) {
    switches += ExpectSwitchesHold(BaseName(file), ReadFileForTesting(file));
  }
  switches += ExpectSwitchesHold("practice", Practice());
  EXPECT_GT(switches, 40);
}

TEST(Switch, MovesOnlyTheChildAndUsesTheIndexAgain) {
  const std::string text = Switched(Practice(), "PetVisits", "item-collection");
  EXPECT_THAT(text, HasSubstr("  item Visit {\n"
                              "    PK     = \"PET#{petId}\"\n"
                              "    SK     = \"VISIT#{id}\"\n"));
  EXPECT_THAT(text, HasSubstr("GSI1PK = \"VISIT#{id}\"")) << "where the pet's key was";
  EXPECT_THAT(text, HasSubstr("unique id by lock item")) << "`once` promises one row for each id";
  EXPECT_THAT(text, HasSubstr("// Owners by themselves."));
  EXPECT_THAT(text, HasSubstr("strategy PetVisits = item-collection"));
  EXPECT_THAT(text, HasSubstr("strategy VetVisits = secondary-index"));
  EXPECT_THAT(text, Not(HasSubstr("GSI3")));
  const std::string before = Practice();
  EXPECT_EQ(text.substr(0, text.find("item Visit")), before.substr(0, before.find("item Visit")));
  EXPECT_LE(CountLines(text), CountLines(before) + 1);
}

TEST(Switch, AndBackAgainIsTheSameBill) {
  const std::string there = Switched(Practice(), "PetVisits", "item-collection");
  const std::string back = Switched(there, "PetVisits", "secondary-index");
  EXPECT_NEAR(BillOf(ReadModel(back).model), BillOf(ReadModel(Practice()).model), 0.01) << back;
}

TEST(Switch, SaysWhyATableCannotBecomeSo) {
  EXPECT_THAT(Switched(Practice(), "VetVisits", "write-sharding"), HasSubstr("no key of `Visit`"));
  std::string moving = Practice();
  moving.insert(moving.find("// The table of"),
                "write Hand {\n  update Visit set petId where id = :id\n  rate 1/min\n}\n");
  EXPECT_THAT(Switched(moving, "PetVisits", "item-collection"),
              HasSubstr("`Hand` changes `petId`"));
  std::string logical = Practice();
  logical.erase(logical.find("// The table of"));
  EXPECT_THAT(Switched(logical + "table Visits partition id {\n  item Visit {\n  }\n}\n",
                       "PetVisits", "item-collection"),
              HasSubstr("table Visits has no sort key"));
  EXPECT_THAT(Switched(logical + "table Visits partition id sort vetId {\n  item Visit {\n  }\n}\n",
                       "PetVisits", "item-collection"),
              HasSubstr("are attributes of its items"));
}

// Declarations that share a line have no lines of their own to replace.
TEST(Switch, ReadsAFileThatIsNotFormatted) {
  std::string crowded = Practice();
  for (std::size_t at = crowded.find("table Practice");
       (at = crowded.find("    without id\n  }\n", at)) != std::string::npos;) {
    crowded.replace(at, 18, "    without id }  ");
  }
  const std::string text = Switched(crowded, "PetVisits", "item-collection");
  ASSERT_TRUE(ReadModel(text).ok) << text;
  EXPECT_NEAR(BillOf(ReadModel(text).model),
              BillOf(ReadModel(Switched(Practice(), "PetVisits", "item-collection")).model), 1e-9);
}

TEST(Advise, OfTwoParentsOneGetsTheCollection) {
  std::string together = Practice();
  for (const char* const parent : {"Pet", "Vet"}) {
    const std::string line =
        std::string("  find Visit where ") + (*parent == 'P' ? "petId" : "vetId");
    together.insert(together.find(line), std::string("  find ") + parent + " where id = :" +
                                             (*parent == 'P' ? "pet" : "vet") + "\n");
  }
  const ReadModelResult read = ReadModel(together);
  ASSERT_TRUE(read.ok);
  int collections = 0;
  int explained = 0;
  for (const Advice& advice : Advise(read.model, Prices())) {
    if (advice.relationship->to.text != "Visit") {
      continue;
    }
    collections +=
        static_cast<int>(std::ranges::count(advice.recommended, FindStrategy("item-collection")));
    for (const DecisionStep& step : advice.path) {
      explained += step.text.find("`Visit` has one table key") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_EQ(collections, 1);
  EXPECT_EQ(explained, 1);
}

TEST(Advise, TakesTheScaleThatIsAskedFor) {
  // All visits under one key, which no scale gives company.
  std::string one_key = Practice();
  one_key.insert(one_key.find("write AddPet"),
                 "pattern Last {\n  find Visit order by id desc limit 10\n  rate 1/s\n}\n\n");
  one_key.insert(one_key.find("\n  // Owners by"),
                 "  index GSI3 partition GSI3PK sort GSI3SK project all\n");
  one_key.insert(one_key.find("    GSI2PK = \"VET#"),
                 "    GSI3PK = \"VISIT\"\n    GSI3SK = \"{id}\"\n");
  const ReadModelResult read = ReadModel(one_key);
  ASSERT_TRUE(read.ok);
  const auto sharding = [&](double scale) {
    for (const Advice& advice : Advise(read.model, Prices(), {scale, ""})) {
      if (advice.relationship->name.text != "VetVisits") {
        continue;
      }
      for (const StrategyPrice& price : advice.prices) {
        if (price.strategy->name == "write-sharding") {
          return price;
        }
      }
    }
    return StrategyPrice();
  };
  EXPECT_FALSE(sharding(1).legal);
  EXPECT_TRUE(sharding(10'000).switchable) << sharding(10'000).reason;
  const double now = Advise(read.model, Prices())[0].prices[0].money_per_month;
  EXPECT_GT(Advise(read.model, Prices(), {1000, ""})[0].prices[0].money_per_month, 900 * now);
}

// A price is the bill of the design that the switch makes, and what is in use is the bill of today.
TEST(Advise, PricesAreBillsOfTheWholeDesign) {
  const ReadModelResult read = ReadModel(Practice());
  for (const Advice& advice : Advise(read.model, Prices())) {
    EXPECT_TRUE(advice.stored);
    for (const StrategyPrice& price : advice.prices) {
      if (price.reason != "as the keys are now") {
        continue;
      }
      EXPECT_NEAR(price.money_per_month, BillOf(read.model), 1e-9);
    }
    for (const std::string& flip : advice.flips) {
      EXPECT_THAT(flip, Not(HasSubstr("above under")));
      EXPECT_THAT(flip, Not(HasSubstr("what money does not show")));
      EXPECT_THAT(flip, Not(HasSubstr("`")));
    }
  }
}

TEST(Advise, WithoutTablesThereIsNothingToSwitch) {
  std::string logical = Practice();
  logical.erase(logical.find("// The table of"));
  for (const Advice& advice : Advise(ReadModel(logical).model, Prices())) {
    EXPECT_FALSE(advice.stored);
    for (const StrategyPrice& price : advice.prices) {
      EXPECT_FALSE(price.switchable);
    }
  }
}

// The bill of a large model is made for the relationship that somebody asks about.
TEST(Advise, OfALargeModelPricesOneRelationshipAtATime) {
  std::string large = Practice();
  std::string more;
  for (int i = 0; i < 400; ++i) {
    more += "pattern More" + std::to_string(i) + " {\n  find Vet where id = :vet\n  rate 1/s\n}\n";
  }
  large.insert(large.find("write AddPet"), more);
  const ReadModelResult read = ReadModel(large);
  ASSERT_TRUE(read.ok);
  for (const Advice& advice : Advise(read.model, Prices())) {
    EXPECT_TRUE(advice.deferred && !advice.stored);
    for (const StrategyPrice& price : advice.prices) {
      EXPECT_FALSE(price.switchable);
    }
  }
  const std::vector<Advice> one = Advise(read.model, Prices(), {1, "PetVisits"});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(one[0].stored && !one[0].deferred);
  EXPECT_NEAR(one[0].prices[0].money_per_month, BillOf(read.model), 1e-6);
}

}  // namespace
}  // namespace prejoin::model
