// Counts, fan-outs, sparse attributes, skew, peaks and assumptions. Each figure is computed by hand in its comment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/syntax/line_edit.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ReadModelResult Read(const std::string& text) {
  ReadModelResult read = ReadModel(text);
  for (const Diagnostic& one : read.diagnostics) {
    ADD_FAILURE() << one.message;
  }
  return read;
}

std::vector<std::string> AssumedIds(const Model& model) {
  std::vector<std::string> ids;
  for (const AssumptionEffect& effect : AssumptionEffects(model, Prices())) {
    ids.push_back(effect.assumption.id);
  }
  return ids;
}

constexpr const char* kTasks = R"(
entity Org {
  id text(~8) key
  count 100
}
entity Project {
  orgId references Org.id key
  id text(~8) key
}
entity Task {
  orgId references Project.orgId key
  projectId references Project.id key
  id text(~8) key
}
relationship Projects: Org one-to-many Project {
  each Org has ~8, at most 50
}
relationship Tasks: Project one-to-many Task {
  each Project has ~20, unbounded
}
table T partition PK sort SK {
  item Org {
    PK = "ORG#{id}"
    SK = "#"
  }
  item Project {
    PK = "ORG#{orgId}"
    SK = "PROJECT#{id}"
  }
  item Task {
    PK = "ORG#{orgId}"
    SK = "TASK#{projectId}#{id}"
  }
}
pattern Tasks {
  find Task where orgId = :org
  rate 1/s peak 1/s
}
)";

TEST(Workload, FanOutsMultiplyThroughLevels) {
  const ReadModelResult read = Read(kTasks);
  Expectations figures(read.model);
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Project")), 800);         // 100 x 8
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Task")), 16'000);         // 100 x 8 x 20
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Task"), {"orgId"}), 160);  // 8 x 20
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Task"), {"orgId", "projectId"}), 20);
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Project"), {"orgId"}), 8);
  EXPECT_EQ(PlanPattern(figures, read.model.patterns[0]).estimate.items_returned, 160);
  EXPECT_THAT(figures.assumptions(), IsEmpty());
}

TEST(Workload, KeptRowsAreAsManyAsArePutMeanwhile) {
  const ReadModelResult read = Read(R"(
entity Session {
  id text(~16) key
  expires number(10)
  ttl expires kept 2 days
}
write Open {
  put Session
  rate 10/s peak 10/s
}
table T partition id {
  item Session {
  }
}
)");
  EXPECT_EQ(EntityCount(read.model, *read.model.FindEntity("Session")), 10.0 * 86'400 * 2);
}

std::string Tickets(const std::string& escalated) {
  return R"(
entity Ticket {
  id text(~8) key
  body text(~700)
  escalatedTo )" +
         escalated + R"(
  count 1M
}
write Open {
  put Ticket
  rate 1/s peak 1/s
}
write Escalate {
  update Ticket set escalatedTo
  rate 1/hour peak 1/s
}
pattern Escalated {
  find Ticket where escalatedTo = :who returns ~5
  rate 1/s peak 1/s
}
table T partition PK {
  index Sparse partition escalatedTo sort PK project all
  item Ticket {
    PK = "TICKET#{id}"
  }
}
)";
}

// 2 % of a million tickets are escalated: 20,000 entries. A new ticket writes 1 unit and, in two cases of a hundred, 1
// more. Escalating writes the item, and the entry once when it was not there (98 %) and twice when it was (2 %): 1.02.
TEST(Workload, ASparseIndexHoldsAndCostsOnlyTheRowsThatHaveItsKey) {
  const ReadModelResult read = Read(Tickets("text(~8) optional 2% distinct 200 hottest 5%"));
  Expectations figures(read.model);
  const CostReport report = EstimateCost(figures, PlanAll(figures), Prices());
  EXPECT_EQ(report.storage[1].items, 20'000);
  EXPECT_DOUBLE_EQ(report.writes[0].total_units, 1.02);
  EXPECT_DOUBLE_EQ(report.writes[1].units.at("Sparse"), 1.02);
  EXPECT_THAT(figures.assumptions(), IsEmpty());
  // Without the share it is priced dense, and says so.
  const ReadModelResult dense = Read(Tickets("text(~8) optional distinct 200 hottest 5%"));
  EXPECT_EQ(EstimateCost(dense.model, PlanAll(dense.model), Prices()).storage[1].items, 1e6);
  EXPECT_THAT(AssumedIds(dense.model), Contains("presence Ticket.escalatedTo"));
}

TEST(Workload, AttributesThatComeTogetherCountOnce) {
  const ReadModelResult read = Read(R"(
entity Ticket {
  id text(~8) key
  to text(~8) optional 2%
  at time optional
  together to, at
  count 1M
}
table T partition PK {
  index Sparse partition to sort at project keys
  item Ticket {
    PK = "TICKET#{id}"
  }
}
)");
  Expectations figures(read.model);
  EXPECT_DOUBLE_EQ(figures.Presence(*figures.model().FindEntity("Ticket"), {"to", "at"}), 0.02);
}

// 2,000 writes a second at the peak, all with today's date: twice what a partition gives.
TEST(Workload, AGrowingDateIsAHotKeyAtThePeak) {
  const std::string text = R"(
entity Event {
  day date grows
  id text(~8) key
  count 1M
}
write Log {
  put Event
  rate 10/s peak 2_000/s
}
pattern OfDay {
  find Event where day = :day returns ~1_000
  rate 1/hour peak 1/hour
}
table T partition PK sort SK {
  item Event {
    PK = "DAY#{day}"
    SK = "{id}"
  }
}
)";
  const ReadModelResult read = Read(text);
  const std::vector<Heat> heat = EstimateHeat(read.model, PlanAll(read.model));
  ASSERT_EQ(heat.size(), 1u);
  EXPECT_DOUBLE_EQ(heat[0].write_units_per_second, 2000);
  EXPECT_DOUBLE_EQ(heat[0].utilisation, 2);
  const std::vector<Diagnostic> findings = CheckModel(read);
  EXPECT_THAT(findings, Contains(testing::Field(&Diagnostic::rule, "PJ112")));
}

// The hottest of 200 operators takes 5 % of 1,000 writes of 1 unit: 50.
TEST(Workload, SkewOfAnAttributeHeatsItsHottestKey) {
  const ReadModelResult read = Read(R"(
entity Call {
  operator text(~8) distinct 200 hottest 5%
  id text(~8) key
  count 1M
}
write Log {
  put Call
  rate 1_000/s peak 1_000/s
}
table T partition PK sort SK {
  item Call {
    PK = "OP#{operator}"
    SK = "{id}"
  }
}
)");
  EXPECT_DOUBLE_EQ(EstimateHeat(read.model, PlanAll(read.model))[0].write_units_per_second, 50);
}

TEST(Workload, AShardHoldsItsPartOfTheCollection) {
  std::string text = kTasks;
  const std::string from = "PK = \"ORG#{orgId}\"\n    SK = \"TASK#{projectId}#{id}\"";
  text.replace(text.find(from), from.size(),
               "PK = \"ORG#{orgId}#{shard 4 of id}\"\n    SK = \"TASK#{projectId}#{id}\"");
  const ReadModelResult read = Read(text);
  Expectations figures(read.model);
  for (const CollectionSize& size : EstimateSizes(figures)) {
    if (size.entity != "Task") {
      continue;
    }
    EXPECT_EQ(size.items, 40);  // 160 / 4
  }
}

// 1,000 rows under the key, one in ten passes the filter: 5 wanted rows take 50.
TEST(Workload, AFilterWithALimitReadsUntilEnoughHavePassed) {
  const ReadModelResult read = Read(R"(
entity Owner {
  id text(~8) key
  count 100
}
entity Thing {
  owner references Owner.id key
  id text(~8) key
  colour text(~5) distinct 10
}
relationship Things: Owner one-to-many Thing {
  each Owner has ~1_000, unbounded
}
pattern Red {
  find Thing where owner = :owner and colour = "red" limit 5
  rate 1/s peak 1/s
}
table T partition PK sort SK {
  item Thing {
    PK = "OWNER#{owner}"
    SK = "THING#{id}"
  }
}
)");
  const Plan plan = PlanPattern(read.model, read.model.patterns[0]);
  // Five of fifty: ten pages of five on average, and about half a page more, because a page is read as a whole.
  EXPECT_NEAR(plan.estimate.items_read, 52.5, 0.5);
  EXPECT_EQ(plan.estimate.items_returned, 5);
}

TEST(Workload, EstimatesNeverReturnMoreThanTheyRead) {
  for (const std::string& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    for (const Plan& plan : PlanAll(read.model)) {
      EXPECT_LE(plan.estimate.items_returned, plan.estimate.items_read * 1.000001)
          << BaseName(file) << " " << plan.pattern->name.text;
    }
  }
}

TEST(Workload, AnAllowedScanIsPlannedAndPriced) {
  const std::string text = R"(
entity Report {
  id text(~6) key
  body text(~2_028)
  count 1_000
}
pattern Nightly {
  find Report where begins_with(body, :word)
  scan allowed because "a nightly job"
  rate 1/day peak 1/day
}
table T partition PK {
  item Report {
    PK = "R#{id}"
    without id
  }
}
)";
  const ReadModelResult read = Read(text);
  const Plan plan = PlanPattern(read.model, read.model.patterns[0]);
  ASSERT_TRUE(plan.served);
  EXPECT_EQ(DescribeRequest(plan.requests[0]), "Scan T");
  // PK 2 + 8 and body 4 + 2,028 bytes, 1,000 times: 2,042,000 bytes, in 2 pages of 1 MB. The first ends with item 514:
  // 257 units of 4 KB; the other 486 items take 243; and half of that because it is eventually consistent.
  EXPECT_EQ(plan.estimate.read_units, 250);
  EXPECT_EQ(plan.estimate.requests, 2);
  for (const Diagnostic& finding : CheckModel(read)) {
    EXPECT_NE(finding.rule, "PJ101");
  }
}

// The three designs of the bank, by hand in the comments of the files.
TEST(Workload, TheBankDesignsRankByUnitsAndByMoney) {
  const auto report_of = [](const std::string& name) {
    const ReadModelResult read =
        Read(ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" + name + ".prejoin"));
    EXPECT_THAT(AssumedIds(read.model), IsEmpty()) << name;
    return EstimateCost(read.model, PlanAll(read.model), Prices());
  };
  const auto units = [](const CostReport& report) {
    return report.writes[0].total_units + 2 * report.writes[1].total_units;
  };
  const CostReport all = report_of("w01_bank_project_all");
  const CostReport keys = report_of("w02_bank_keys_only");
  const CostReport state = report_of("w03_bank_state_item");
  EXPECT_EQ(units(all), 64);
  EXPECT_EQ(units(keys), 29);
  EXPECT_EQ(units(state), 16);
  EXPECT_GT(all.money_per_month, keys.money_per_month);
  EXPECT_GT(keys.money_per_month, state.money_per_month);
  // 2 M payments a day: 64 units are 2e6 x 30 x 64 = 3,840 M units, 2,400 dollars; 29 are 1,087.50; 16 are 600.
  const auto written = [](const CostReport& report) {
    return report.writes[0].money_per_month + report.writes[1].money_per_month;
  };
  EXPECT_NEAR(written(all), 2400, 0.01);
  EXPECT_NEAR(written(keys), 1087.5, 0.01);
  EXPECT_NEAR(written(state), 600, 0.01);
}

TEST(Workload, TheShardsOfTheBankFollowFromThePeak) {
  struct Case {
    const char* name;
    const char* shards;
    double units;  // Per second under the hottest key, unsharded.
    const char* proposed;
  };
  for (const Case& one : {Case{"w01_bank_project_all", "32", 8880, "shard 32"},
                          Case{"w02_bank_keys_only", "4", 1110, "shard 4"},
                          Case{"w03_bank_state_item", "4", 1110, "shard 4"}}) {
    const std::string sharded = ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" +
                                                   std::string(one.name) + ".prejoin");
    for (const Diagnostic& finding : CheckModel(ReadModel(sharded))) {
      EXPECT_NE(finding.rule, "PJ112") << finding.message;
    }
    std::string plain = sharded;
    const std::string shard = std::string("{shard ") + one.shards + " of id}";
    plain.replace(plain.find(shard), shard.size(), "0");
    const ReadModelResult read = Read(plain);
    const std::vector<Heat> heat = EstimateHeat(read.model, PlanAll(read.model));
    EXPECT_NEAR(heat[0].write_units_per_second, one.units, 1e-6) << one.name;
    bool proposed = false;
    for (const Diagnostic& finding : CheckModel(read)) {
      proposed = proposed || (finding.rule == "PJ112" &&
                              finding.suggestion.text().find(one.proposed) != std::string::npos);
    }
    EXPECT_TRUE(proposed) << one.name;
  }
}

// Every figure that can be left out is then found in the list, with a line that mends it.
TEST(Assumptions, EachFigureThatIsTakenAwayIsListed) {
  const std::string whole = R"(
entity Shop {
  id text(~6) key
  count 50
}
entity Order {
  shop references Shop.id key
  id text(~8) key
  status text(~6) distinct 4 hottest 30%
  day date grows distinct 90
  rush text(~4) optional 2% distinct 3 hottest 50%
}
relationship Orders: Shop one-to-many Order {
  each Shop has ~1_000, unbounded, hottest 10%
}
pattern OfShop {
  find Order where shop = :shop and id > :after returns ~20
  rate 5/s peak 50/s
}
pattern ByStatus {
  find Order where status = :status
  rate 1/min peak 1/s
}
pattern Rush {
  find Order where rush = :rush and day = :day
  rate 1/min peak 1/s
}
write Place {
  put Order
  rate 2/s peak 20/s
}
table T partition PK sort SK {
  index ByStatus partition status sort SK project all
  index Rush partition rush sort day project keys
  item Shop {
    PK = "SHOP#{id}"
    SK = "#"
  }
  item Order {
    PK = "SHOP#{shop}"
    SK = "ORDER#{id}"
  }
}
)";
  const ReadModelResult read = Read(whole);
  EXPECT_THAT(AssumedIds(read.model), IsEmpty());
  struct Case {
    const char* figure;
    const char* without;
    const char* id;
  };
  for (const Case& one :
       {Case{"  count 50\n", "", "count Shop"},
        Case{"status text(~6) distinct 4", "status text(~6)", "distinct Order.status"},
        Case{"distinct 4 hottest 30%", "distinct 4", "skew Order.status"},
        Case{"date grows distinct 90", "date grows", "distinct Order.day"},
        Case{"optional 2%", "optional", "presence Order.rush"},
        Case{"2% distinct 3", "2%", "distinct Order.rush"},
        Case{"unbounded, hottest 10%", "unbounded", "skew Shop.id"},
        Case{" returns ~20", "", "range OfShop id"},
        Case{"rate 5/s peak 50/s", "rate 5/s", "peak OfShop"},
        Case{"rate 2/s peak 20/s", "rate 2/s", "peak Place"}}) {
    std::string text = whole;
    ASSERT_NE(text.find(one.figure), std::string::npos) << one.figure;
    text.replace(text.find(one.figure), std::string(one.figure).size(), one.without);
    const ReadModelResult less = Read(text);
    const auto effects = AssumptionEffects(less.model, Prices());
    const auto found = std::ranges::find_if(
        effects, [&](const AssumptionEffect& effect) { return effect.assumption.id == one.id; });
    if (std::string(one.id) == "skew Shop.id") {
      EXPECT_THAT(AssumedIds(less.model), Contains(HasSubstr("skew")));
      continue;
    }
    ASSERT_NE(found, effects.end()) << one.figure;
    EXPECT_NE(found->assumption.line, "");
    EXPECT_FALSE(found->users.empty()) << one.id;
  }
}

// The line that is said goes in place of the attribute's: the assumption is gone, and the attribute is what it was.
TEST(Assumptions, LinesOfAttributesCanBePasted) {
  int pasted = 0;
  for (const std::string& file : SoundExampleFiles()) {
    const std::string source = ReadFileForTesting(file);
    const ReadModelResult read = ReadModel(source);
    for (const AssumptionEffect& effect : AssumptionEffects(read.model, Prices())) {
      const Assumption& assumption = effect.assumption;
      const std::string name = assumption.line.substr(0, assumption.line.find(' '));
      if (!assumption.place.starts_with("in `entity ") || name == "count") {
        continue;
      }
      const std::string entity = assumption.place.substr(11, assumption.place.size() - 12);
      const Attribute& before = *read.model.FindEntity(entity)->Find(name);
      const auto edits =
          EditPlacer(read.source, read.tree)
              .Place({{LineEditKind::kReplace, "", before.name.at, {assumption.line}, "", ""}});
      ASSERT_TRUE(edits) << file << "\n" << assumption.line;
      const auto text = ApplyEdits(source, *edits);
      ASSERT_TRUE(text) << file << "\n" << assumption.line;
      const ReadModelResult now = ReadModel(*text);
      ASSERT_TRUE(now.ok) << file << "\n" << assumption.line;
      EXPECT_THAT(AssumedIds(now.model), Not(Contains(assumption.id))) << assumption.line;
      const Attribute& after = *now.model.FindEntity(entity)->Find(name);
      EXPECT_EQ(after.is_key, before.is_key) << assumption.line;
      EXPECT_EQ(after.optional, before.optional) << assumption.line;
      EXPECT_EQ(after.unique, before.unique) << assumption.line;
      EXPECT_EQ(after.values.size(), before.values.size()) << assumption.line;
      EXPECT_EQ(AverageValueBytes(after), AverageValueBytes(before)) << assumption.line;
      ++pasted;
    }
  }
  EXPECT_GT(pasted, 20);
}

TEST(Assumptions, SayWhatChangesIfTheyAreWrong) {
  // An index entry of 1 unit in every row or in a tenth of them: 2 or 1.1 units for each put.
  const ReadModelResult read = Read(Tickets("text(~8) optional distinct 200 hottest 5%"));
  const auto effects = AssumptionEffects(read.model, Prices());
  ASSERT_FALSE(effects.empty());
  const AssumptionEffect& effect = effects[0];
  EXPECT_EQ(effect.assumption.id, "presence Ticket.escalatedTo");
  EXPECT_EQ(effect.assumption.line, "escalatedTo text(~8) distinct 200 hottest 5% optional 100%");
  EXPECT_LT(effect.money_if_less, effect.money_if_more);
  const std::string text = RenderAssumptions(effects, Prices());
  EXPECT_THAT(
      text, HasSubstr("To state it, write in `entity Ticket`: escalatedTo text(~8) distinct 200"));
}

// Peaks move no bill on demand: all of them are one line, unless they are asked for.
TEST(Assumptions, CountThoseThatHardlyMatter) {
  std::string text =
      "entity A {\n  id text(~8) key\n  count 1_000\n}\ntable T partition id {\n"
      "  item A {\n  }\n}\n";
  for (const char* name : {"P", "Q", "R"}) {
    text += "pattern " + std::string(name) + " {\n  find A where id = :id\n  rate 1/s\n}\n";
  }
  const ReadModelResult read = Read(text);
  const auto effects = AssumptionEffects(read.model, Prices());
  ASSERT_EQ(effects.size(), 3u);
  const std::string few = RenderAssumptions(effects, Prices());
  EXPECT_THAT(few, HasSubstr("3 defaults were used; none changes the total by more than 1%"));
  EXPECT_THAT(few, Not(HasSubstr("at its peak too")));
  const std::string all = RenderAssumptions(effects, Prices(), AssumptionList::kAll);
  EXPECT_THAT(all, HasSubstr("`P` comes at 1/s, at its peak too"));
  EXPECT_THAT(all, HasSubstr("`R` comes at 1/s, at its peak too"));
}

TEST(Plans, ShowAConstantAsItStandsInTheKey) {
  const ReadModelResult read = Read(R"(
entity Invoice {
  id text(~8) key
  status text(4) values ("OPEN", "PAID")
  count 100
}
table T partition PK {
  index G partition GPK sort GSK project all
  item Invoice {
    PK  = "INVOICE#{id}"
    GPK = "STATUS#{status}"
    GSK = "INVOICE#{id}"
  }
}
pattern Open {
  find Invoice where status = "OPEN"
  rate 1/s peak 1/s
}
)");
  EXPECT_THAT(ExplainPattern(read.model, read.model.patterns[0]),
              HasSubstr("GPK = \"STATUS#OPEN\""));
}

TEST(Prices, RegionsProvisionedCapacityAndMistakes) {
  const auto text = R"(
read_million = 0.2
mode = provisioned        // bought by the hour
utilisation = 0.5
[eu-west-1]
write_hour = 0.001
)";
  ASSERT_TRUE(ParsePrices(text).has_value());
  EXPECT_DOUBLE_EQ(ParsePrices(text)->write_hour, 0.00065);
  const Prices prices = *ParsePrices(text, "eu-west-1");
  // 10 units per second at half use are 20 units of capacity: 20 x 0.001 x 720 hours.
  EXPECT_DOUBLE_EQ(prices.WriteMoney(10, 100), 14.4);
  Prices fixed = prices;
  fixed.utilisation = 0;  // Capacity for the peak: 100 x 0.001 x 720.
  EXPECT_DOUBLE_EQ(fixed.WriteMoney(10, 100), 72);
  fixed.reserved_share = 1;
  fixed.reserved_discount = 0.5;
  EXPECT_DOUBLE_EQ(fixed.WriteMoney(10, 100), 36);
  EXPECT_FALSE(ParsePrices(text, "mars-1").has_value());
  EXPECT_THAT(ParsePrices("reed_million = 1").error().message, HasSubstr("line 1"));
  EXPECT_FALSE(ParsePrices("read_million = -1").has_value());
}

}  // namespace
}  // namespace prejoin::model
