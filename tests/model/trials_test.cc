// What trials with designs of the field showed to be estimated wrong.
#include <gtest/gtest.h>

#include "model/bind/read_model.h"
#include "model/cost/write_cost.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

// 60% of the drivers are free, but each cell has its own key: the hottest of 40,000 cells x 3 states.
TEST(Trials, AHotStateIsHotOnlyWithinEachOfTheOtherValues) {
  const ReadModelResult read = ReadModel(
      "entity Driver {\n  id text(~8) key\n  cell text(~7) distinct 40_000\n  state text(~4) "
      "values "
      "(\"OFF\", \"FREE\", \"BUSY\") hottest 60%\n  count 1M\n}\n");
  ASSERT_TRUE(read.ok);
  Expectations figures(read.model);
  EXPECT_NEAR(figures.HottestShare(*figures.model().FindEntity("Driver"), {"cell", "state"}), 0.6 / 40'000, 1e-9);
  EXPECT_NEAR(figures.HottestShare(*figures.model().FindEntity("Driver"), {"state"}), 0.6, 1e-9);
}

// Newest first, the user's own item comes behind all of the 60 posts.
TEST(Trials, ALimitedQueryReadsAllThatStandsBeforeItsLastSection) {
  const ReadModelResult read = ReadModel(
      "entity User {\n  id text(~8) key\n  count 1_000\n}\nentity Post {\n  author references "
      "User.id "
      "key\n  id text(~8) key\n  text text(~900)\n}\nrelationship Posts: User one-to-many Post {\n "
      " "
      "each User has ~60, unbounded\n}\npattern Wall {\n  find User where id = :u\n  find Post "
      "where "
      "author = :u order by id desc limit 20\n}\ntable T partition PK sort SK {\n  item User {\n   "
      " PK "
      "= \"U#{id}\"\n    SK = \"#USER\"\n  }\n  item Post {\n    PK = \"U#{author}\"\n    SK = "
      "\"POST#{id}\"\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  const Plan plan = PlanPattern(read.model, read.model.patterns[0]);
  // Two requests for 21 items, not one that reads 61.
  EXPECT_EQ(plan.requests.size(), 2U);
  EXPECT_NEAR(plan.estimate.items_read, 21, 1e-6);
}

// Six lines of one invoice change its count once: a transaction cannot name an item twice.
TEST(Trials, RowsOfOneTransactionChangeTheirSumOnce) {
  const ReadModelResult read = ReadModel(
      "entity Bill {\n  id text(~8) key\n  lines number(3)\n  count 100\n}\nentity Line {\n  "
      "billId "
      "references Bill.id key\n  no text(~3) key\n}\nwrite Add {\n  put Line times 6\n}\ntable T "
      "partition PK sort SK {\n  item Bill {\n    PK = \"B#{id}\"\n    SK = \"B\"\n    lines = "
      "count "
      "of Line kept by transaction\n  }\n  item Line {\n    PK = \"B#{billId}\"\n    SK = "
      "\"L#{no}\"\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  Expectations figures(read.model);
  // Six lines and the bill, twice each.
  EXPECT_EQ(EstimateWrite(figures, read.model.writes[0]).total_units, 14);
}

TEST(Trials, RatesAreWrittenInTheUnitOfTheFile) {
  EXPECT_EQ(RateText(40), "40/s");
  EXPECT_EQ(RateText(1.0 / 60), "1/min");
  EXPECT_EQ(RateText(40'000 / 2'592'000.0), "40000/month");
  EXPECT_EQ(RateText(1.0 / 3600), "1/hour");
}

double UnitsOf(const std::string& text, const std::string& write) {
  const ReadModelResult read = ReadModel(text);
  EXPECT_TRUE(read.ok);
  Expectations figures(read.model);
  return EstimateWrite(figures, *read.model.FindWrite(write)).total_units;
}

constexpr const char* kTasksOfPeople =
    "entity Person {\n  id text(~6) key\n  tasks number(4)\n  count 60\n}\nentity Task {\n"
    "  id text(~8) key\n  personId references Person.id optional 50%\n  count 600\n}\n"
    "write Add {\n  put Task once without personId\n}\nwrite Give {\n  put Task once with personId\n}\n"
    "write Claim {\n  update Task where id = :t set personId if not exists(personId)\n}\n"
    "write Move {\n  update Task where id = :t set personId if exists(personId)\n}\n"
    "table T partition PK {\n  item Person {\n    PK = \"P#{id}\"\n"
    "    tasks = count of Task kept by stream\n  }\n  item Task {\n    PK = \"T#{id}\"\n  }\n}\n";

// A task of nobody is in no count; one that moves leaves a count and comes into another.
TEST(Trials, ACountIsWrittenForEachParentThatTheRowLeavesOrJoins) {
  EXPECT_EQ(UnitsOf(kTasksOfPeople, "Add"), 1);
  EXPECT_EQ(UnitsOf(kTasksOfPeople, "Give"), 2);
  EXPECT_EQ(UnitsOf(kTasksOfPeople, "Claim"), 2);
  EXPECT_EQ(UnitsOf(kTasksOfPeople, "Move"), 3);
}

constexpr const char* kInvoices =
    "entity Invoice {\n  id text(~6) key\n  total number(5)\n  count 60\n}\nentity Line {\n"
    "  invoiceId references Invoice.id key\n  no number(2) key\n  cents number(5)\n}\n"
    "relationship Lines: Invoice one-to-many Line {\n  each Invoice has ~4, at most 40\n}\n"
    "write Issue {\n  put Invoice once\n  put Line times 4\n  together\n}\n"
    "write AddTwo {\n  put Line times 2\n}\n"
    "table T partition PK {\n  item Invoice {\n    PK = \"I#{id}\"\n    lines = list of Line (no, cents)\n"
    "  }\n}\n";

// An invoice with its lines is one item, written once: 2 WCU in a transaction.
TEST(Trials, RowsInsideAnItemAreWrittenWithIt) {
  EXPECT_EQ(UnitsOf(kInvoices, "Issue"), 2);
  EXPECT_EQ(UnitsOf(kInvoices, "AddTwo"), 1);
}

}  // namespace
}  // namespace prejoin::model
