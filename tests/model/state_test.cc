// Values, shares, derived values and presence: what is refused, what is read, and figures computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/cost/write_cost.h"
#include "model/data/evaluate.h"
#include "model/generate/generate.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"
#include "model/syntax/formatter.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Example(const std::string& name) {
  return ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" + name + ".prejoin");
}

ReadModelResult ReadSound(const std::string& text) {
  ReadModelResult read = ReadModel(text);
  for (const Diagnostic& one : read.diagnostics) {
    ADD_FAILURE() << one.message;
  }
  return read;
}

std::vector<std::string> Messages(const std::string& text) {
  std::vector<std::string> messages;
  for (const Diagnostic& one : CheckModel(ReadModel(text))) {
    if (one.severity == Severity::kError) {
      messages.push_back(one.message);
    }
  }
  return messages;
}

struct Wrong {
  const char* name;
  const char* part;  // Of kTask: what is replaced …
  const char* with;  // … by what.
  const char* message;
};

constexpr const char* kTask = R"(entity Task {
  id text(8) key
  status one of "OPEN" 3%, "DONE" 97%
  at time
  score number(4)
  note text optional
  done bool
}
pattern Find {
  find Task where id = :id
}
write Change {
  update Task where id = :id set note
}
write Make {
  put Task
}
table T partition PK {
  item Task {
    PK = "TASK#{id}"
  }
}
)";

std::string Replaced(std::string text, const std::string& part, const std::string& with) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), with);
}

class WrongState : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongState, IsOneClearError) {
  const std::string text = Replaced(kTask, GetParam().part, GetParam().with);
  const std::vector<std::string> messages = Messages(text);
  ASSERT_EQ(messages.size(), 1u) << ::testing::PrintToString(messages);
  EXPECT_THAT(messages[0], HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongState,
    ::testing::ValuesIn(std::vector<Wrong>{
        {"SetOfAnotherType", "set note", "set score = \"high\"",
         "`score` is number, \"high\" is not"},
        {"SetOutsideTheList", "set note", "set status = \"GONE\"",
         "\"GONE\" is none of the values of `status`"},
        {"SetBool", "set note", "set done = \"true\"", "`done` is bool, \"true\" is not"},
        {"SetNoTime", "set note", "set at = \"soon\"", "\"soon\" is no time"},
        {"SetTwice", "set note", "set note, note = \"a\"", "`note` is written twice in one step"},
        {"SetKey", "set note", "set id = \"a\"", "`id` is part of the key"},
        {"TwoEquals", "set note", "set note == \"a\"", "`==` is one `=` here"},
        {"PutKey", "put Task", "put Task with id = \"a\"", "`id` is part of the key"},
        {"PutWithWhatIsThere", "put Task", "put Task with score", "every `Task` has `score`"},
        {"PutWithoutWhatIsThere", "put Task", "put Task without score", "every `Task` has `score`"},
        {"PutWithAndWithout", "put Task", "put Task with note without note",
         "a new row cannot be with and without `note`"},
        {"PutUnknown", "put Task", "put Task with nothing", "has no attribute `nothing`"},
        {"AskAnotherType", "id = :id\n}\nwrite", "score = \"high\"\n}\nwrite",
         "`score` is number, \"high\" is not"},
        {"AskOutsideTheList", "id = :id\n}\nwrite", "id = :id and status <> \"GONE\"\n}\nwrite",
         "\"GONE\" is none of the values of `status`"},
        {"NotEqualOfC", "id = :id\n}\nwrite", "id = :id and status != \"OPEN\"\n}\nwrite",
         "there is no `!=`"},
        {"NotSomethingElse", "id = :id\n}\nwrite", "id = :id and not contains(note, :a)\n}\nwrite",
         "`not` precedes `exists`"},
        {"NotExistsOfAws", "id = :id\n}\nwrite", "attribute_not_exists(note)\n}\nwrite",
         "there is no function `attribute_not_exists`"},
        {"SharesAboveAll", "97%", "98%", "the shares of `status` make 101%"},
        {"SharesBelowAll", "97%", "90%", "the shares of `status` make 93%"},
        {"SharesLeaveNothing", "\"DONE\" 97%", "\"DONE\" 97%, \"HELD\"",
         "which leaves nothing for the other values"},
        {"ShareOfNothing", "\"OPEN\" 3%", "\"OPEN\" 0%", "a share is above 0%"},
        {"ValueTwice", "\"DONE\" 97%", "\"OPEN\" 97%", "this value is in the list twice"},
        {"ValuesOfTwoTypes", "\"DONE\" 97%", "5 97%", "`status` is text, 5 is not"},
        {"ListTwice", "\"DONE\" 97%", "\"DONE\" 97% values (\"A\")",
         "has a list of values already"},
        {"FirstZero", "{id}", "{id first 0}", "this is not an attribute of a key template"},
        {"FirstTooMany", "{id}", "{id first 99}", "this is not an attribute of a key template"},
        {"FirstOfNumber", "\"TASK#{id}\"", "\"TASK#{id}#{score first 2}\"",
         "`score` is number: `first` takes the beginning of a text"},
        {"DayOfText", "\"TASK#{id}\"", "\"TASK#{id}#{note day}\"",
         "`note` is text: only a date or a time has a day"},
        {"HourOfDate", "at time", "at date hour distinct 9",
         "`at` is date: only a time has an hour"},
        {"DescendingText", "\"TASK#{id}\"", "\"TASK#{id}#{at descending}\"",
         "`at` is time: `descending` counts a number down"},
        {"DescendingTooShort", "\"TASK#{id}\"", "\"TASK#{id}#{score descending 3}\"",
         "`score` has 4 digits, which `descending 3` cannot hold"},
        {"DescendingManyDigits", "\"TASK#{id}\"", "\"TASK#{id}#{score descending 39}\"",
         "this is not an attribute of a key template"},
        {"Now", "\"TASK#{id}\"", "\"TASK#{id}#{now day}\"", "has no attribute `now`"},
        {"FirstInCondition", "id = :id\n}\nwrite", "id first 0 = :id\n}\nwrite",
         "`first` takes 1 to 64 characters"},
        {"DayOfNumber", "id = :id\n}\nwrite", "score day = :day\n}\nwrite",
         "`score` is number: only a date or a time has a day"},
        {"DayOfNothing", "id = :id\n}\nwrite", "when day = :day\n}\nwrite",
         "has no attribute `when`"},
        {"HoursOverlap", "find Task where id = :id",
         "find Task where id = :id\n  rate 1/s from 08:00 to 10:00, 2/s from 09:00 to 11:00",
         "these hours overlap"},
        {"HoursOfNothing", "find Task where id = :id",
         "find Task where id = :id\n  rate 1/s from 08:00 to 08:00",
         "these hours end when they begin"},
        {"HoursPastMidnight", "find Task where id = :id",
         "find Task where id = :id\n  rate 1/s from 08:00 to 25:00", "this is no time of day"},
        {"HoursTwice", "find Task where id = :id", "find Task where id = :id\n  rate 1/s, 2/s",
         "the rate outside of stated hours is here twice"},
        {"DayInAGuard", "set note", "set note if at day = :day",
         "a condition of a write compares a whole attribute"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(State, DigitsOfDescendingMustBeKnown) {
  const std::string text = Replaced(Replaced(kTask, "number(4)", "number"), "\"TASK#{id}\"",
                                    "\"TASK#{id}#{score descending}\"");
  EXPECT_THAT(Messages(text), Contains(HasSubstr("the model does not state how many digits `score` has")));
}

TEST(State, ValuesWithoutAShareDivideTheRest) {
  const ReadModelResult read =
      ReadSound(Replaced(kTask, "\"OPEN\" 3%, \"DONE\" 97%", "\"OPEN\" 4%, \"HELD\", \"DONE\""));
  const Attribute& status = *read.model.FindEntity("Task")->Find("status");
  ASSERT_EQ(status.shares.size(), 3u);
  EXPECT_DOUBLE_EQ(status.shares[1], 0.48);  // (1 - 0.04) / 2
  EXPECT_EQ(status.type, AttributeType::kText);
  EXPECT_DOUBLE_EQ(status.size_avg, 4);
}

TEST(State, OneOfInAMapEndsBeforeTheNextMember) {
  const ReadModelResult read = ReadSound(
      Replaced(kTask, "done bool", "done map of (how one of \"WELL\" 90%, \"BADLY\", by text)"));
  const Attribute& done = *read.model.FindEntity("Task")->Find("done");
  ASSERT_EQ(done.members.size(), 2u);
  EXPECT_EQ(done.members[0].values.size(), 2u);
  EXPECT_EQ(done.members[1].name.text, "by");
}

TEST(State, FormattingKeepsTheMeaning) {
  for (const char* name : {"s01_tasks", "s02_deals_by_day", "s03_open_games"}) {
    const std::string text = Example(name);
    const std::string formatted = FormatTree(ReadModel(text).tree);
    EXPECT_EQ(formatted, text) << name;
    EXPECT_EQ(ModelJson(ReadModel(formatted).model), ModelJson(ReadModel(text).model)) << name;
  }
}

// ---- Figures

TEST(State, SharesAreInTheEstimates) {
  const ReadModelResult read = ReadSound(Example("s01_tasks"));
  Expectations figures(read.model);
  // 1,000,000 tasks / 50 queues × 3 %.
  const Plan waiting = PlanPattern(figures, *read.model.FindPattern("Waiting"));
  EXPECT_NEAR(waiting.estimate.items_read, 600, 1e-6);
  EXPECT_NEAR(waiting.estimate.items_returned, 600, 1e-6);
  EXPECT_NEAR(PlanPattern(figures, *read.model.FindPattern("Next")).estimate.items_read, 1, 1e-6);
  // 100 tasks of an owner; 4 % are not done.
  const Plan unfinished = PlanPattern(figures, *read.model.FindPattern("Unfinished"));
  EXPECT_NEAR(unfinished.estimate.items_read, 100, 1e-6);
  EXPECT_NEAR(unfinished.estimate.items_returned, 4, 1e-6);
  // A status that the caller chooses: 0.03² + 0.01² + 0.96² of 20,000.
  EXPECT_NEAR(figures.Rows(*figures.model().FindEntity("Task"), {"queue", "status"}), 20'000 * 0.9226, 1e-6);
  // The most used status takes 96 % of a queue.
  EXPECT_NEAR(figures.HottestShare(*figures.model().FindEntity("Task"), {"status"}), 0.96, 1e-9);
}

TEST(State, DerivedValuesAreInTheEstimates) {
  const ReadModelResult read = ReadSound(Example("s02_deals_by_day"));
  Expectations figures(read.model);
  EXPECT_NEAR(figures.Rows(*figures.model().FindEntity("Deal"), {"created day"}), 1'000, 1e-6);   // 365,000 / 365
  EXPECT_NEAR(figures.Rows(*figures.model().FindEntity("Shop"), {"geohash first 5"}), 10, 1e-6);  // 20,000 / 2,000
  EXPECT_NEAR(figures.Rows(*figures.model().FindEntity("Deal"), {"created", "created day"}), 1,
              1e-6);  // The day tells nothing new.
  EXPECT_NEAR(PlanPattern(figures, *read.model.FindPattern("Best")).estimate.items_read, 10, 1e-6);
  EXPECT_NEAR(PlanPattern(figures, *read.model.FindPattern("Nearby")).estimate.items_read, 10,
              1e-6);
  // Today's key takes every write, by the default that a date grows.
  EXPECT_NEAR(figures.HottestShare(*figures.model().FindEntity("Deal"), {"created day"}), 1, 1e-9);
  const std::vector<CollectionSize> sizes = EstimateSizes(figures);
  const auto day = std::ranges::find_if(
      sizes, [](const CollectionSize& size) { return size.key == "\"DEALS#{created day}\""; });
  ASSERT_NE(day, sizes.end());
  EXPECT_NEAR(day->items, 1'000, 1e-6);
}

TEST(State, UnitsOfTimeFollowFromHowLongRowsAreKept) {
  const ReadModelResult read = ReadSound(R"(entity Log {
  id text(8) key
  at time
  count 1_000_000
  kept 90 days
}
pattern A { find Log where at day = :d }
pattern B { find Log where at hour = :d }
pattern C { find Log where at month = :d }
)");
  Expectations figures(read.model);
  EXPECT_EQ(figures.Distinct(*figures.model().FindEntity("Log"), "at day"), 90);
  EXPECT_EQ(figures.Distinct(*figures.model().FindEntity("Log"), "at hour"), 2'160);
  EXPECT_EQ(figures.Distinct(*figures.model().FindEntity("Log"), "at month"), 3);
  EXPECT_THAT(figures.assumptions(), IsEmpty());
}

TEST(State, PresenceIsInTheCostOfAPut) {
  const ReadModelResult read = ReadSound(Example("s03_open_games"));
  Expectations figures(read.model);
  // Item and entry, one unit each.
  EXPECT_NEAR(EstimateWrite(figures, *read.model.FindWrite("Make")).total_units, 2, 1e-9);
  std::string never = Example("s03_open_games");
  never = Replaced(never, "with opened, people = 0 without winner", "without opened, winner");
  const ReadModelResult other = ReadSound(never);
  Expectations without(other.model);
  EXPECT_NEAR(EstimateWrite(without, *other.model.FindWrite("Make")).total_units, 1, 1e-9);
  // 200,000 games, 1 % open, 10 maps.
  EXPECT_NEAR(PlanPattern(figures, *read.model.FindPattern("Undecided")).estimate.items_read, 200,
              1e-6);
}

TEST(State, GeneratedRowsFollowTheShares) {
  const ReadModelResult read = ReadSound(Example("s01_tasks"));
  const Dataset data = GenerateData(read.model, {.rows = 10'000, .seed = 3, .progress = {}});
  const std::vector<Row>& rows = data.Of("Task");
  const auto open = std::ranges::count_if(
      rows, [](const Row& row) { return *row.Find("status") == AttributeValue("OPEN"); });
  // 3 % of 10,000 ± 5 standard deviations of 17.
  EXPECT_NEAR(static_cast<double>(open), 300, 85);
}

TEST(State, GeneratedRowsSpreadOverTheStatedBeginnings) {
  const ReadModelResult read = ReadSound(Example("s02_deals_by_day"));
  const Dataset data = GenerateData(read.model, {.rows = 20'000, .seed = 3, .progress = {}});
  std::set<std::string> days;
  for (const Row& row : data.Of("Deal")) {
    days.insert(BeginningOf(*row.Find("created")->string(), *MomentDerivation("day")));
  }
  EXPECT_EQ(days.size(), 365u);
  std::set<std::string> cells;
  for (const Row& row : data.Of("Shop")) {
    EXPECT_EQ(row.Find("geohash")->string()->substr(0, 5).size(), 5u);
    cells.insert(BeginningOf(*row.Find("geohash")->string(), *FirstDerivation(5)));
  }
  EXPECT_LE(cells.size(), 2'000u);
  EXPECT_GT(cells.size(), 500u);  // Some 1,040 shops fall into 2,000 cells.
}

TEST(State, HoursOfARateMakeAnAverageAndAPeak) {
  const auto rates = [](const std::string& rate) {
    const ReadModelResult read = ReadSound(
        Replaced(kTask, "find Task where id = :id", "find Task where id = :id\n  rate " + rate));
    return std::pair(read.model.patterns[0].rate_per_second,
                     read.model.patterns[0].peak_per_second);
  };
  // (5/s × 22 h + 500/s × 2 h) / 24 h
  EXPECT_NEAR(rates("5/s, 500/s from 08:00 to 10:00").first, 46.25, 1e-9);
  EXPECT_NEAR(rates("5/s, 500/s from 08:00 to 10:00").second, 500, 1e-9);
  // Over midnight: 24/s × 8 h / 24 h, and nothing else.
  EXPECT_NEAR(rates("24/s from 22:00 to 06:00").first, 8, 1e-9);
  EXPECT_NEAR(rates("24/s from 22:00 to 06:00 peak 90/s").second, 90, 1e-9);
  EXPECT_EQ(rates("5/s").second, 0);
  EXPECT_NEAR(ReadSound(Example("s01_tasks")).model.FindPattern("Next")->rate_per_second, 20, 1e-9);
  const std::string text = "pattern A {\n  find Task\n  rate 5/s, 500/s from 08:00 to 10:30\n}\n";
  EXPECT_EQ(FormatTree(ReadModel(text).tree), text);
}

// ---- Plans

std::string RequestOf(const Model& model, const std::string& pattern) {
  const Plan plan = PlanPattern(model, *model.FindPattern(pattern));
  return plan.served ? DescribeRequest(plan.requests[0]) : plan.refusal;
}

TEST(State, DerivedPartsAreBound) {
  const ReadModelResult read = ReadSound(Example("s02_deals_by_day"));
  EXPECT_THAT(RequestOf(read.model, "OfDay"), HasSubstr("GSI1PK = \"DEALS#{:day day}\""));
  EXPECT_THAT(RequestOf(read.model, "OfHour"), HasSubstr("\"{:since}\""));
  // The highest score first: forwards.
  const Plan best = PlanPattern(read.model, *read.model.FindPattern("Best"));
  EXPECT_FALSE(best.requests[0].descending);
  EXPECT_FALSE(best.sections[0].client_sort);
  EXPECT_EQ(best.requests[0].view.index->name.text, "ByScore");
  // At least so much: from the beginning up to it.
  const Plan above = PlanPattern(read.model, *read.model.FindPattern("Above"));
  EXPECT_EQ(above.requests[0].view.index->name.text, "ByScore");
  EXPECT_THAT(above.sections[0].filters, IsEmpty());
}

TEST(State, AConditionOnTheAttributeBindsItsBeginningAndFilters) {
  const ReadModelResult read = ReadSound(R"(entity Log {
  device text(6) key
  at time key day distinct 30
  id text(4) key
  count 3_000
}
pattern Exact { find Log where device = :d and at = :t }
pattern Since { find Log where device = :d and at > :t }
table T partition PK sort SK {
  item Log {
    PK = "D#{device}"
    SK = "{at day}#{id}"
    without id
  }
}
)");
  const Plan exact = PlanPattern(read.model, *read.model.FindPattern("Exact"));
  EXPECT_EQ(exact.sections[0].filters, std::vector<std::string>{"at"});
  EXPECT_THAT(DescribeRequest(exact.requests[0]), HasSubstr("{:t day}"));
  const Plan since = PlanPattern(read.model, *read.model.FindPattern("Since"));
  EXPECT_EQ(since.sections[0].filters, std::vector<std::string>{"at"});
  EXPECT_THAT(DescribeRequest(since.requests[0]), HasSubstr("{:t day}"));
}

TEST(State, TheBeginningOfAKeyDoesNotIdentifyARow) {
  const std::string text = Replaced(kTask, "\"TASK#{id}\"", "\"TASK#{id first 4}\"");
  EXPECT_THAT(Messages(text),
              Contains(HasSubstr("`id` identifies one Task but is missing from its key")));
}

// ---- Meaning

TEST(State, WhatIsNotThereDiffersFromEverything) {
  Condition condition;
  condition.attribute.text = "a";
  condition.comparison = Comparison::kNotEqual;
  condition.operands.push_back({"", AttributeValue("X"), {}});
  Row row;
  EXPECT_TRUE(ConditionHolds(condition, row, {}));
  row.Set("a", AttributeValue("Y"));
  EXPECT_TRUE(ConditionHolds(condition, row, {}));
  row.Set("a", AttributeValue("X"));
  EXPECT_FALSE(ConditionHolds(condition, row, {}));
  condition.comparison = Comparison::kNotExists;
  EXPECT_FALSE(ConditionHolds(condition, row, {}));
  row.Remove("a");
  EXPECT_TRUE(ConditionHolds(condition, row, {}));
}

ProofReport ProofOf(const std::string& text) {
  const ReadModelResult read = ReadSound(text);
  auto backend = EmbeddedBackend::OpenInMemory();
  auto report = ProveAtScale(read.model, {}, **backend, {});
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return *std::move(report);
}

TEST(State, AnUpdateThatChangesNoRowIsNotProved) {
  std::string text = Replaced(kTask, "set note", "set status = \"DONE\"");
  text +=
      "sample Task (id, status, at, score, done) {\n"
      "  \"a\", \"DONE\", \"2026-01-05T10:00:00Z\", 1, true\n}\n";
  const ReadModelResult read = ReadSound(text);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = Prove(read.model, SampleData(read.model), **backend, {});
  ASSERT_TRUE(report.has_value());
  EXPECT_FALSE(report->all_right);
  EXPECT_THAT(report->writes[0].problems, Contains(HasSubstr("has what this update sets already")));
}

TEST(State, ARowThatADescendingKeyCannotHoldIsRefused) {
  std::string text = Replaced(kTask, "\"TASK#{id}\"", "\"TASK#{id}#{score descending}\"");
  text +=
      "sample Task (id, status, at, score, done) {\n"
      "  \"a\", \"DONE\", \"2026-01-05T10:00:00Z\", -1, true\n}\n";
  const ReadModelResult read = ReadSound(text);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = Prove(read.model, SampleData(read.model), **backend, {});
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().message, HasSubstr("score is negative"));
}

TEST(State, DescendingTurnsTheOrderOfNumbersRound) {
  std::vector<Diagnostic> diagnostics;
  const KeyTemplate key = ParseKeyTemplate("{score descending 4}", {}, diagnostics);
  ASSERT_THAT(diagnostics, IsEmpty());
  std::string last;
  for (const int score : {9'999, 1'000, 999, 10, 9, 0}) {
    const AttributeValue value(score);
    const auto text = RenderKey(key, [&](std::string_view) { return &value; });
    ASSERT_TRUE(text.has_value());
    EXPECT_LT(last, *text->string());
    last = *text->string();
  }
  EXPECT_EQ(last, "9999");
}

TEST(State, BeginningsEndBetweenCharacters) {
  EXPECT_EQ(BeginningOf("äöü", *FirstDerivation(2)), "äö");
  EXPECT_EQ(BeginningOf("ab", *FirstDerivation(5)), "ab");
  EXPECT_EQ(BeginningOf("2026-01-31T12:00:00Z", *MomentDerivation("hour")), "2026-01-31T12");
  EXPECT_FALSE(FirstDerivation(0).has_value());
  EXPECT_FALSE(FirstDerivation(65).has_value());
}

TEST(State, ExamplesAreProvedOnGeneratedRows) {
  for (const char* name : {"s01_tasks", "s02_deals_by_day", "s03_open_games"}) {
    const ReadModelResult read = ReadSound(Example(name));
    const Dataset data = GenerateData(read.model, {.rows = 600, .seed = 5, .progress = {}});
    auto backend = EmbeddedBackend::OpenInMemory();
    const auto report = Prove(read.model, data, **backend, {.argument_sets = 8, .progress = {}});
    ASSERT_TRUE(report.has_value()) << report.error().message;
    // Examples are about the sample, and their rows are not among these.
    for (const WriteProof& write : report->writes) {
      EXPECT_TRUE(write.right) << name << " " << write.name << " "
                               << ::testing::PrintToString(write.problems);
    }
  }
  EXPECT_TRUE(ProofOf(Example("s01_tasks")).all_right);
}

}  // namespace
}  // namespace prejoin::model
