// Migrations between the hand-written and the found design of examples, beside an application that writes, with a
// migrator that dies at any request.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "design/design.h"
#include "migrate/migrator.h"
#include "model/bind/read_model.h"
#include "model/data/item_render.h"
#include "model/generate/generate.h"
#include "tests/migrate/live_application.h"
#include "tests/model/example_files.h"
#include "tests/rig/seed.h"

namespace prejoin::migrate {
namespace {

model::Model ReadText(const std::string& source) {
  model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& diagnostic : read.diagnostics) {
    if (!read.ok) {
      ADD_FAILURE() << model::RenderDiagnostic("model", source, diagnostic);
    }
  }
  return std::move(read.model);
}

std::string Example(const std::string& name) {
  for (const std::string& path : model::SoundExampleFiles()) {
    if (model::BaseName(path).starts_with(name)) {
      return model::ReadFileForTesting(path);
    }
  }
  ADD_FAILURE() << "no example " << name;
  return "";
}

model::Model Found(const std::string& source) {
  const model::ReadModelResult read = model::ReadModel(source);
  design::DesignOptions options;
  options.prove = false;
  const auto report = design::MakeDesign(source, read, options);
  EXPECT_TRUE(report) << report.error().message;
  // The file's own tables are no other design to go to.
  return report->designs[report->keeps_file ? 1 : 0].read.model;
}

// The rows of the new logical half, without the code that is tested.
model::Dataset RowsFor(const model::Model& before, const model::Model& after,
                       const model::Dataset& data) {
  model::Dataset rows;
  for (const model::Entity& entity : after.entities) {
    std::string source = entity.name.text;
    if (before.FindEntity(source) == nullptr) {
      source = source.substr(0, source.find("State"));
    }
    for (const model::Row& row : data.Of(source)) {
      model::Row own;
      for (const model::Attribute& attribute : entity.attributes) {
        if (const AttributeValue* value = row.Find(attribute.name.text)) {
          own.Set(attribute.name.text, *value);
        }
      }
      rows.rows[entity.name.text].push_back(std::move(own));
    }
  }
  return rows;
}

std::vector<std::string> Texts(const std::vector<Item>& items) {
  std::vector<std::string> texts;
  for (const Item& item : items) {
    texts.push_back(model::ValueText(AttributeValue(item)));
  }
  std::ranges::sort(texts);
  return texts;
}

RunOptions Fast() {
  RunOptions options;
  options.write_units_per_second = 0;
  options.page_items = 20;
  options.passes_max = 3;
  // The application of the tests acts when it is asked something, not by the clock.
  options.pause = [](int) {};
  return options;
}

struct Journey {
  const model::Model& before;
  const evolve::MigrationPlan& plan;
  LiveApplication& application;
  std::mt19937& rng;
  int kills = 0;

  // Calls `step` again and again, each time with a migrator that dies after some requests, `times` of them at most.
  template <class Step>
  RunReport Survive(int times, const Step& step) {
    for (int i = 0;; ++i) {
      const bool last = i >= times;
      TableRequests remote(application.Requests(last ? 1'000'000 : 1 + static_cast<int>(rng() % 60)));
      auto migrator = Migrator::Open(before, plan, remote, Fast());
      EXPECT_TRUE(migrator) << migrator.error().message;
      Result<RunReport> report = step(*migrator);
      if (report) {
        return *report;
      }
      EXPECT_TRUE(application.killed()) << report.error().message;
      if (!application.killed()) {
        return {};
      }
      ++kills;
    }
  }
};

// All the way from one design to the other; gives how often the migrator was killed.
int Travel(const model::Model& before, const model::Model& after, std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto plan = evolve::PlanMigration(before, after, {});
  EXPECT_TRUE(plan) << plan.error().message;
  if (!plan) {
    return 0;
  }
  model::GenerateOptions generate;
  generate.rows = 80;
  generate.seed = seed;
  LiveApplication application(before, model::GenerateData(before, generate), seed);
  Journey journey{before, *plan, application, rng};

  application.WriteOnceIn(2);
  for (int i = 0; i < 6; ++i) {
    journey.Survive(1, [](Migrator& one) { return one.Run(); });
    EXPECT_THAT(application.Problems(before, application.data()), testing::IsEmpty());
  }
  EXPECT_GT(application.writes(), 5);
  EXPECT_GT(application.rows_compared(), 0u);
  // The application pauses; now a pass finds nothing to do.
  application.WriteOnceIn(0);
  RunReport report;
  for (int i = 0; i < 4 && !report.done; ++i) {
    report = journey.Survive(8, [](Migrator& one) { return one.Run(); });
  }
  EXPECT_TRUE(report.done) << testing::PrintToString(report.remarks);
  report = journey.Survive(4, [](Migrator& one) { return one.CutOver(); });
  EXPECT_TRUE(report.done) << testing::PrintToString(report.remarks);

  const model::Dataset rows = RowsFor(before, plan->after, application.data());
  model::DataIndex index(rows);
  for (const model::TableItems& table : model::RenderAll(plan->after, index)) {
    const auto one = std::ranges::find(plan->tables, table.table->name.text, &evolve::TablePlan::name);
    if (one->in_place) {
      continue;
    }
    EXPECT_EQ(Texts(application.Stored(table.table->name.text)), Texts(table.items));
  }
  EXPECT_THAT(application.Problems(plan->after, rows), testing::IsEmpty());

  report = journey.Survive(6, [](Migrator& one) { return one.Finish(); });
  EXPECT_FALSE(application.Exists(kStateTable)) << testing::PrintToString(report.remarks);
  for (const std::string& table : plan->dropped) {
    EXPECT_FALSE(application.Exists(table)) << table;
  }
  for (const model::TableItems& table : model::RenderAll(plan->after, index)) {
    EXPECT_EQ(Texts(application.Stored(table.table->name.text)), Texts(table.items));
  }
  EXPECT_THAT(application.Problems(plan->after, rows), testing::IsEmpty());
  return journey.kills;
}

int Rounds() {
  const char* given = std::getenv("PREJOIN_MIGRATE_ROUNDS");
  return given != nullptr ? std::atoi(given) : 1;
}

TEST(Migrate, SurvivesKillsBesideAWritingApplication) {
  const std::uint32_t seed = TestSeed();
  int kills = 0;
  for (const char* name : {"d04", "d06", "d10", "f01", "l02", "w01"}) {
    const std::string source = Example(name);
    const model::Model by_hand = ReadText(source);
    const model::Model found = Found(source);
    for (int round = 0; round < Rounds(); ++round) {
      const std::uint32_t own = seed + static_cast<std::uint32_t>(round);
      SCOPED_TRACE(std::string(name) + " with seed " + std::to_string(own));
      kills += Travel(by_hand, found, own);
      // And back, but for the split, which has no way back.
      if (by_hand.entities.size() == found.entities.size()) {
        kills += Travel(found, by_hand, own);
      }
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(kills, 20);
}

// An application that writes both forms, at every other request of the migrator: between the two halves of each write there is
// always a request, so that every pass sees differences that are none.
class BothForms : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string source = Example(GetParam());
    before_ = ReadText(source);
    auto plan = evolve::PlanMigration(before_, Found(source), {});
    ASSERT_TRUE(plan) << plan.error().message;
    plan_ = *std::move(plan);
    model::GenerateOptions generate;
    generate.rows = 80;
    generate.seed = seed_;
    application_ =
        std::make_unique<LiveApplication>(before_, model::GenerateData(before_, generate), seed_);
    ASSERT_TRUE(Step(&Migrator::Run));
    application_->AlsoWrite(&plan_.after);
    application_->WriteOnceIn(1);
  }

  Result<RunReport> Step(Result<RunReport> (Migrator::*step)()) {
    TableRequests remote(application_->Requests(1'000'000));
    RunOptions options = Fast();
    options.passes_max = 8;
    auto migrator = Migrator::Open(before_, plan_, remote, options);
    return ((*migrator).*step)();
  }

  const std::uint32_t seed_ = TestSeed();
  model::Model before_;
  evolve::MigrationPlan plan_;
  std::unique_ptr<LiveApplication> application_;
};

TEST_P(BothForms, SettleCutOverAndLoseNothing) {
  std::mt19937 rng(seed_);
  Journey journey{before_, plan_, *application_, rng};
  journey.Survive(6, [](Migrator& one) { return one.Run(); });
  const auto ready = Step(&Migrator::Run);
  ASSERT_TRUE(ready) << ready.error().message;
  EXPECT_TRUE(ready->done) << testing::PrintToString(ready->remarks);
  const auto over = Step(&Migrator::CutOver);
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_TRUE(over->done) << testing::PrintToString(over->remarks);
  EXPECT_GT(application_->writes(), 0);
  application_->FinishWrite();
  const model::Dataset rows = RowsFor(before_, plan_.after, application_->data());
  model::DataIndex index(rows);
  for (const model::TableItems& table : model::RenderAll(plan_.after, index)) {
    EXPECT_EQ(Texts(application_->Stored(table.table->name.text)), Texts(table.items));
  }
}

TEST_P(BothForms, RealDifferencesAreFoundAmongThoseThatAreNone) {
  const std::string table = plan_.after.tables[0].name.text;
  application_->WriteOnceIn(0);
  application_->FinishWrite();
  const std::vector<Item> stored = application_->Stored(table);
  ASSERT_GT(stored.size(), 3u);
  Item changed = stored[0];
  changed.Set("planted", AttributeValue("difference"));
  Item surplus = *audit::KeyOf(plan_.after.tables[0], stored[1]);
  for (auto& [name, value] : Item(surplus)) {
    if (value.string() != nullptr) {
      surplus.Set(name, AttributeValue(*value.string() + "~"));
    }
  }
  {
    TableRequests remote(application_->Requests(1'000'000));
    ASSERT_TRUE(
        remote.Write(table, {changed, surplus}, {*audit::KeyOf(plan_.after.tables[0], stored[2])}));
  }
  application_->WriteOnceIn(1);
  const auto report = Step(&Migrator::Run);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->done) << testing::PrintToString(report->remarks);
  // The application may itself overwrite the other two; of the surplus item it knows nothing.
  EXPECT_GE(report->deleted, 1);
  EXPECT_GT(report->passes, 1);
  application_->FinishWrite();
  const model::Dataset rows = RowsFor(before_, plan_.after, application_->data());
  model::DataIndex index(rows);
  for (const model::TableItems& one : model::RenderAll(plan_.after, index)) {
    EXPECT_EQ(Texts(application_->Stored(one.table->name.text)), Texts(one.items));
  }
}

INSTANTIATE_TEST_SUITE_P(Migrate, BothForms, testing::Values("d04", "d06", "l02"));

constexpr const char* kShop = R"(
entity Customer {
  id   text key
  name text
}
entity Order {
  customer references Customer.id key
  id       text key
  day      date
  status   text values ("open", "paid")
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~4, unbounded
}
pattern OrdersOf "Orders of a customer" {
  find Order where customer = :c
}
table Shop partition PK sort SK {
  item Customer {
    PK = "C#{id}"
    SK = "C"
  }
  item Order {
    PK = "C#{customer}"
    SK = "O#{id}"
  }
}
)";

std::string With(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.rfind(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

// An index and a copy more: the table stays, and no write of the application is undone.
std::string GrownShop() {
  return With(With(kShop, "  item Customer {",
                   "  index GSI1 partition GSI1PK sort GSI1SK project all\n\n  item Customer {"),
              "    SK = \"O#{id}\"\n",
              "    SK     = \"O#{id}\"\n    GSI1PK = \"{day}\"\n    GSI1SK = \"O#{id}\"\n    "
              "who    = copy of Customer.name kept by stream\n");
}

TEST(Migrate, ChangesInPlaceWhatKeepsItsKeys) {
  const std::uint32_t seed = TestSeed();
  const model::Model before = ReadText(kShop);
  const model::Model after = ReadText(GrownShop());
  const auto plan = evolve::PlanMigration(before, after, {});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->tables.size(), 1u);
  EXPECT_TRUE(plan->tables[0].in_place);
  EXPECT_EQ(plan->tables[0].new_indexes, std::vector<std::string>{"GSI1"});
  EXPECT_TRUE(plan->dropped.empty());
  for (std::uint32_t round = 0; round < 3; ++round) {
    SCOPED_TRACE(SeedMessage(seed + round));
    Travel(before, after, seed + round);
    Travel(after, before, seed + round);
  }
}

class Shop : public testing::Test {
 protected:
  Shop() : before_(ReadText(kShop)), after_(ReadText(With(kShop, "\"O#{id}\"", "\"ORDER#{id}\""))) {
    plan_ = *evolve::PlanMigration(before_, after_, {});
    model::GenerateOptions generate;
    generate.rows = 20;
    application_ =
        std::make_unique<LiveApplication>(before_, model::GenerateData(before_, generate), 1);
  }
  Result<RunReport> Step(Result<RunReport> (Migrator::*step)()) {
    TableRequests remote(application_->Requests(1'000'000));
    auto migrator = Migrator::Open(before_, plan_, remote, Fast());
    return ((*migrator).*step)();
  }
  void Put(const std::string& table, const Item& item) {
    TableRequests remote(application_->Requests(1'000'000));
    ASSERT_TRUE(remote.Write(table, {item}, {}));
  }

  const model::Model before_;
  const model::Model after_;
  evolve::MigrationPlan plan_;
  std::unique_ptr<LiveApplication> application_;
};

TEST_F(Shop, AnotherKeyMeansATableBeside) {
  ASSERT_EQ(plan_.tables.size(), 1u);
  EXPECT_EQ(plan_.tables[0].name, "Shop-2");
  EXPECT_EQ(plan_.tables[0].why_beside, "Order gets another key");
  EXPECT_EQ(plan_.dropped, std::vector<std::string>{"Shop"});
  EXPECT_GT(plan_.write_units, 0);
}

TEST_F(Shop, StepsOutOfOrderAreRefused) {
  EXPECT_FALSE(Step(&Migrator::CutOver)->done);
  EXPECT_FALSE(Step(&Migrator::Finish)->done);
  EXPECT_TRUE(Step(&Migrator::Run)->done);
  EXPECT_FALSE(Step(&Migrator::Finish)->done);
  EXPECT_TRUE(Step(&Migrator::CutOver)->done);
  // Behind the cut-over a row that only the new table has stays.
  const Item fresh{{"PK", "C#new"}, {"SK", "C"}, {"id", "new"}, {"name", "New"}};
  Put("Shop-2", fresh);
  EXPECT_FALSE(Step(&Migrator::Run)->done);
  EXPECT_THAT(application_->Stored("Shop-2"), testing::Contains(fresh));
  EXPECT_TRUE(Step(&Migrator::Finish)->done);
  EXPECT_TRUE(Step(&Migrator::Finish)->done);
}

TEST_F(Shop, CleanUpWaitsUntilNobodyWritesTheOldForm) {
  ASSERT_TRUE(Step(&Migrator::Run)->done);
  ASSERT_TRUE(Step(&Migrator::CutOver)->done);
  Put("Shop", {{"PK", "C#late"}, {"SK", "C"}, {"id", "late"}, {"name", "Late"}});
  EXPECT_FALSE(Step(&Migrator::Finish)->done);
  EXPECT_TRUE(application_->Exists("Shop"));
  EXPECT_TRUE(Step(&Migrator::Finish)->done);
  EXPECT_FALSE(application_->Exists("Shop"));
}

TEST_F(Shop, WhatNoDesignKnowsIsNotLost) {
  Put("Shop", {{"PK", "C#x"}, {"SK", "C"}, {"id", "x"}, {"name", "X"}, {"shoeSize", Number(44)}});
  EXPECT_TRUE(Step(&Migrator::Run)->done);
  EXPECT_THAT(
      application_->Stored("Shop-2"),
      testing::Contains(
          Item{{"PK", "C#x"}, {"SK", "C"}, {"id", "x"}, {"name", "X"}, {"shoeSize", Number(44)}}));
  Put("Shop", {{"PK", "something"}, {"SK", "else"}});
  const auto report = Step(&Migrator::Run);
  EXPECT_FALSE(report->done);
  EXPECT_EQ(report->unknown, 1);
}

TEST_F(Shop, DoesNotTouchATableThatIsNotItsOwn) {
  Put("Shop", {{"PK", "C#x"}, {"SK", "C"}, {"id", "x"}, {"name", "X"}});
  TableRequests remote(application_->Requests(1'000'000));
  ASSERT_TRUE(remote.Create(plan_.after, plan_.after.tables[0]));
  EXPECT_FALSE(Step(&Migrator::Run));
}

TEST_F(Shop, RowsWithoutASourceAreAnError) {
  const model::Model more = ReadText(With(kShop, "  name text\n", "  name text\n  city text\n"));
  const auto plan = evolve::PlanMigration(before_, more, {});
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, testing::HasSubstr("Customer.city"));
}

}  // namespace
}  // namespace prejoin::migrate
