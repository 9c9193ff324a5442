#include "design/diff.h"

#include "evolve/plan.h"
#include "model/bind/read_model.h"
#include "tests/model/example_files.h"

namespace prejoin::design {
namespace {

model::Model Example(const std::string& name) {
  const std::string path = std::string(PREJOIN_SOURCE_DIR "/examples/models/") + name + ".prejoin";
  return model::ReadModel(model::ReadFileForTesting(path)).model;
}

TEST(Diff, FindsNothingBetweenAModelAndItself) {
  const model::Model model = Example("d04_students_and_courses");
  const DiffReport report = DiffDesigns(model, model, {});
  EXPECT_FALSE(report.rows.empty());
  EXPECT_TRUE(report.changes.empty());
  EXPECT_EQ(report.money_before, report.money_after);
  EXPECT_NE(RenderDiff(report, {}).find("Nothing must be rewritten."), std::string::npos);
}

TEST(Diff, PricesANarrowerIndexOfTheBank) {
  const DiffReport report =
      DiffDesigns(Example("w01_bank_project_all"), Example("w02_bank_keys_only"), {});
  EXPECT_GT(report.money_before, 2 * report.money_after);
  ASSERT_FALSE(report.changes.empty());
  for (const DiffRow& row : report.rows) {
    if (row.name == "Advance") {
      EXPECT_EQ(row.before.units, 24) << "8 for the item, 2 x 8 in the index";
    }
  }
  EXPECT_GT(report.rewrite_money, 0) << "the number of shards changes a key of every payment";
  EXPECT_GT(report.PaybackMonths(), 0);
}

TEST(Diff, OneMigrationHasOnePrice) {
  const model::Model before = Example("w01_bank_project_all");
  const model::Model after = Example("w02_bank_keys_only");
  const DiffReport report = DiffDesigns(before, after, {});
  const auto plan = evolve::PlanMigration(before, after, {});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_DOUBLE_EQ(report.rewrite_money, plan->money);
  double sum = 0;
  for (const DiffChange& change : report.changes) {
    sum += change.money;
  }
  EXPECT_NEAR(sum, plan->money, 1e-9 * plan->money);
}

}  // namespace
}  // namespace prejoin::design
