// Where advice, cost and proof once contradicted each other on the documents' own examples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/advise/advise.h"
#include "model/bind/read_model.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

const char* const kOrganisation = R"(entity Org {
  id    text(~6) key
  name  text(~12)
  count 1_000
}
entity Project {
  orgId references Org.id key
  id    text(~6) key
  title text(~20)
}
entity Task {
  orgId     references Project.orgId key
  projectId references Project.id key
  id        text(~6) key
  text      text(~60)
}
relationship Projects: Org one-to-many Project {
  each Org has ~8, at most 100
}
relationship Tasks: Project one-to-many Task {
  each Project has ~20, at most 500
}
pattern Tree {
  find Org where id = :o
  find Project where orgId = :o
  find Task where orgId = :o
  rate 10/s
}
pattern OfProject {
  find Task where orgId = :o and projectId = :p
  rate 20/s
}
)";

TEST(AdviseContract, ThreeLevelsWhoseSubtreeIsWantedGetOneSortKey) {
  const ReadModelResult read = ReadModel(kOrganisation);
  ASSERT_TRUE(read.ok);
  const std::vector<Advice> advice = Advise(read.model, Prices());
  ASSERT_EQ(advice.size(), 2u);
  for (const Advice& one : advice) {
    EXPECT_THAT(one.recommended, Contains(FindStrategy("composite-sort-key")));
    EXPECT_THAT(one.path, Contains(Field(&DecisionStep::text, HasSubstr("R6"))));
  }
}

TEST(AdviseContract, OneToOneIsOne) {
  const ReadModelResult read = ReadModel(
      "entity User {\n  id text key\n  count 500\n}\nentity Profile {\n  userId references User.id "
      "key\n  bio text(~200)\n}\nrelationship Bio: User one-to-one Profile\npattern P {\n  find "
      "User "
      "where id = :u\n  find Profile where userId = :u\n  rate 3/s\n}\n");
  ASSERT_TRUE(read.ok);
  EXPECT_THAT(Advise(read.model, Prices())[0].path,
              Contains(Field(&DecisionStep::text, HasSubstr("about 1, at most 1"))));
}

// What the keys have costs one price, whichever of its names it goes by, and is never called impossible.
TEST(AdviseContract, StrategiesInUseCostWhatTheKeysCost) {
  int compared = 0;
  for (const std::string& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    for (const Advice& advice : Advise(read.model, Prices())) {
      const StrategyPrice* first = nullptr;
      for (const StrategyPrice& price : advice.prices) {
        if (price.reason != "as the keys are now") {
          continue;
        }
        if (first == nullptr) {
          first = &price;
        }
        EXPECT_TRUE(price.legal) << file;
        EXPECT_DOUBLE_EQ(price.money_per_month, first->money_per_month) << file;
        ++compared;
      }
      if (first == nullptr) {
        continue;
      }
      for (const StrategyPrice& price : advice.prices) {
        const bool in_use = std::ranges::find(advice.in_use, price.strategy) != advice.in_use.end();
        EXPECT_EQ(in_use, price.reason == "as the keys are now")
            << file << ": " << price.strategy->name << ": " << price.reason;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace prejoin::model
