// Simulations: the same twice, right where the result can be computed, and clear about wrong scenarios.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "model/bind/read_model.h"
#include "model/plan/planner.h"
#include "simulate/report.h"
#include "simulate/scenario.h"
#include "simulate/simulator.h"
#include "simulate/workload.h"

namespace prejoin::simulate {
namespace {

constexpr char kModel[] = R"(model "M"
entity Thing {
  id     text(~8) key
  status text(~7) values ("OPEN", "CLOSED")
  count 5_000
}
pattern Get "One" {
  find Thing where id = :id
  rate 100/s
}
write Add "One more" {
  put Thing once
  rate 50/s
}
table Things partition PK {
  index ByStatus partition status project keys
  item Thing {
    PK = "T#{id}"
  }
}
)";

constexpr char kThingsArn[] = "arn:aws:dynamodb:us-east-1:123456789012:table/Things";

class SimulateTest : public testing::Test {
 protected:
  SimulateTest() : read_(model::ReadModel(kModel)) {
    auto workload = MakeWorkload(read_.model, {.rows = 5'000});
    EXPECT_TRUE(workload.has_value()) << (workload ? "" : workload.error().message);
    workload_ = *std::move(workload);
  }
  Report Run(const std::string& lines) {
    const auto scenario = ParseScenario("scenario \"S\" {\n" + lines + "\n}\n");
    EXPECT_TRUE(scenario.has_value()) << (scenario ? "" : scenario.error().message);
    auto report = MakeReport("m.prejoin", workload_, *scenario, model::Prices());
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    return *std::move(report);
  }

  model::ReadModelResult read_;
  Workload workload_;
};

TEST_F(SimulateTest, TheSameSeedGivesTheSameBytes) {
  const std::string scenario = "for 30 seconds\nload x30 at 10 seconds\nhot 20%\nretries adaptive";
  const Report first = Run(scenario);
  EXPECT_EQ(RenderReport(first), RenderReport(Run(scenario)));
  EXPECT_EQ(ReportJson(first), ReportJson(Run(scenario)));
  EXPECT_GT(first.outcome.all.calls, 80'000u);
}

TEST_F(SimulateTest, NothingIsThrottledBelowTheLimits) {
  const Report report = Run("for 2 minutes\nobjective errors < 0.01%\nobjective p99 < 50 ms");
  EXPECT_TRUE(report.outcome.throttles.empty());
  EXPECT_EQ(report.outcome.all.failed, 0u);
  EXPECT_TRUE(report.all_met());
  EXPECT_FALSE(report.advice);
  EXPECT_NEAR(static_cast<double>(report.outcome.all.calls), 150 * 120, 600);
}

TEST_F(SimulateTest, AnIndexWithTwoValuesRefusesWritesOfItsTable) {
  const Report report =
      Run("for 1 minutes\nwarm 40000 read 40000 write\nload x60 of Add\nretries none");
  ASSERT_FALSE(report.outcome.throttles.empty());
  EXPECT_EQ(engine::ReasonName(report.outcome.throttles.begin()->first.limit), "IndexWriteKeyRangeThroughputExceeded");
  // 3,000 a second arrive, and two keys take 1,000 each.
  EXPECT_NEAR(static_cast<double>(report.outcome.calls[1].failed) /
                  static_cast<double>(report.outcome.calls[1].calls),
              1.0 / 3, 0.02);
  ASSERT_TRUE(report.advice);
  EXPECT_NE(report.advice->change.find("shard"), std::string::npos);
}

TEST_F(SimulateTest, AColdTableIsAdvisedToBeWarm) {
  const Report report =
      Run("for 30 seconds\nphysics aws,on-demand-read-units=1000\nload x40 of Get\nretries none");
  ASSERT_TRUE(report.advice);
  ASSERT_TRUE(report.with_change) << report.advice->change;
  EXPECT_LT(report.with_change->all.failed, report.outcome.all.failed);
}

TEST_F(SimulateTest, ProvisionedCapacityAndScaling) {
  const std::string load = "for 14 minutes\nload x0.1\nload x5 at 2 minutes\nretries none\n";
  const Report fixed = Run(load + "capacity provisioned 10 read 6 write");
  EXPECT_EQ(fixed.outcome.throttles.begin()->first.limit.limit, engine::Limit::kProvisioned);
  ASSERT_TRUE(fixed.advice);
  EXPECT_TRUE(fixed.advice->changed);
  const Report scaled = Run(load + "capacity provisioned 10 read 6 write scaling 70%");
  EXPECT_FALSE(scaled.outcome.scaling.empty());
  EXPECT_LT(scaled.outcome.all.failed, fixed.outcome.all.failed);
}

// 100 eventually consistent reads of a small item are 50 RCU, and 50 puts are 50 WCU, in the table and in its index.
// Retries are not demand.
TEST_F(SimulateTest, AdviceProvisionsWhatClientsAskFor) {
  const Report report = Run("for 6 minutes\ncapacity provisioned 1 read 1 write");
  ASSERT_TRUE(report.advice);
  ASSERT_TRUE(report.advice->changed);
  EXPECT_NEAR(static_cast<double>(report.advice->changed->provisioned->read), 50 * 1.3, 10);
  EXPECT_NEAR(static_cast<double>(report.advice->changed->provisioned->write), 50 * 1.3, 10);
  EXPECT_NE(report.advice->change.find(" RCU and "), std::string::npos) << report.advice->change;
  ASSERT_TRUE(report.with_change);
  EXPECT_EQ(report.with_change->all.failed, 0u);
}

// 5,000 keys at 25,000 and 85,000 read units a second: no key is hot, and no table has the second without a higher quota.
TEST_F(SimulateTest, NoKeyIsBlamedWhereAllAreBusy) {
  const Report report = Run("for 2 seconds\nload x500 of Get\nload x0 of Add\nretries none");
  ASSERT_TRUE(report.advice);
  EXPECT_EQ(report.advice->why.find("T#"), std::string::npos) << report.advice->why;
  EXPECT_NE(report.advice->change.find("WarmThroughput"), std::string::npos)
      << report.advice->change;
  const Report beyond = Run("for 1 seconds\nload x1700 of Get\nload x0 of Add\nretries none");
  EXPECT_NE(beyond.advice->change.find("quota"), std::string::npos) << beyond.advice->change;
}

TEST_F(SimulateTest, ALoadOfNothingIsRefused) {
  for (const std::string lines : {"load x0", "load x0 of Get\nload x0 of Add"}) {
    const auto scenario = ParseScenario("scenario \"S\" {\n" + lines + "\n}\n");
    ASSERT_TRUE(scenario.has_value()) << lines;
    const auto report = MakeReport("m.prejoin", workload_, *scenario, model::Prices());
    ASSERT_FALSE(report.has_value()) << lines;
    EXPECT_NE(report.error().message.find("no calls"), std::string::npos) << report.error().message;
  }
}

// One call an hour, a thousand times more from the tenth minute on: 0.28 a second, which a call that waits for its
// next arrival must not sleep through.
TEST_F(SimulateTest, RareCallsFollowTheirRate) {
  Workload rare = workload_;
  rare.calls.resize(1);
  rare.calls[0].per_second = 1.0 / 3'600;
  const auto scenario = ParseScenario("scenario \"S\" {\nfor 30 minutes\nload x1000 at 10 minutes\n}\n");
  const auto report = MakeReport("m.prejoin", rare, *scenario, model::Prices());
  ASSERT_TRUE(report.has_value());
  EXPECT_NEAR(static_cast<double>(report->outcome.all.calls), 20 * 60 / 3.6, 60);
}

// Up after two minutes above the target, down after fifteen below; each change takes two more.
TEST_F(SimulateTest, AutoScalingWaitsTwoMinutesUpAndFifteenDown) {
  const Report report = Run(
      "for 45 minutes\nload x0.1\nload x5 at 5 minutes for 15 minutes\n"
      "capacity provisioned 20 read 20 write scaling 70%");
  std::vector<int> ups;
  std::vector<int> downs;
  for (const std::string& step : report.outcome.scaling) {
    int minute = 0;
    ASSERT_EQ(std::sscanf(step.c_str(), "minute %d", &minute), 1) << step;
    (minute < 20 ? ups : downs).push_back(minute);
  }
  ASSERT_FALSE(ups.empty());
  EXPECT_EQ(ups.front(), 5 + 2 + 2);
  ASSERT_FALSE(downs.empty());
  EXPECT_GE(downs.front(), 19 + 15 + 2);  // The last minutes under load may be below by chance.
  EXPECT_LE(downs.front(), 20 + 15 + 2);
}

// Twice the writes that one key takes. Ten attempts hide twenty seconds of it behind slow calls; four, with a quota, show it.
TEST_F(SimulateTest, TheOldRetriesHideOneHotItem) {
  const std::string load = "for 20 seconds\nhot 100% of Add\nload x40 of Add\n";
  const Report standard = Run(load + "retries standard");
  const Report legacy = Run(load + "retries legacy");
  const auto failed = [](const Report& report) {
    const CallOutcome& add = report.outcome.calls[1];
    return static_cast<double>(add.failed) / static_cast<double>(add.calls);
  };
  EXPECT_TRUE(
      standard.outcome.throttles.contains({ThrottleAnswer::kException,
                                           {.arn = kThingsArn,
                                            .on_demand = true,
                                            .direction = engine::Direction::kWrite,
                                            .limit = engine::Limit::kKeyRange}}));
  EXPECT_NEAR(failed(standard), 0.45, 0.05);
  EXPECT_LT(failed(legacy), 0.1);
  EXPECT_GT(legacy.outcome.all.attempts, 3 * standard.outcome.all.attempts);
  EXPECT_GT(legacy.outcome.calls[1].latencies.Percentile(0.99), 10'000);
  // The report fits a terminal, and the first lines say what happens and what to do.
  const std::string text = RenderReport(standard);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
  }
  EXPECT_LT(text.find("\nWhy: "), text.find("\ncall "));
  EXPECT_LT(text.find("\nChange: "), text.find("\ncall "));
}

TEST_F(SimulateTest, RetriesDecideWhatClientsSee) {
  const std::string load = "for 20 seconds\nwarm 40000 read 40000 write\nload x48 of Add\n";
  const Report none = Run(load + "retries none");
  const Report legacy = Run(load + "retries legacy");
  EXPECT_LT(legacy.outcome.all.failed, none.outcome.all.failed);
  EXPECT_GT(legacy.outcome.all.retried, 0u);
}

TEST_F(SimulateTest, TooManyCallsAreRefused) {
  const auto refusal = [&](const std::string& lines) {
    const auto scenario = ParseScenario("scenario \"S\" {\n" + lines + "\n}\n");
    EXPECT_TRUE(scenario.has_value()) << lines;
    const auto outcome = Simulate(workload_, *scenario);
    return outcome ? std::string() : outcome.error().message;
  };
  for (const char* lines : {"for 1 minutes\nload x1000000",
                            "for 2 minutes\nload x1000000 of Get at 1 minutes"}) {
    EXPECT_NE(refusal(lines).find("more than 20 million calls"), std::string::npos) << lines;
  }
  EXPECT_EQ(refusal("for 1 minutes"), "");
}

TEST_F(SimulateTest, NamesThatTheModelDoesNotHave) {
  for (const char* line : {"load x2 of Nobody", "hot 1% of Nobody", "scan Nobody 1/s",
                           "objective Nobody p99 < 1 ms"}) {
    const auto scenario = ParseScenario(std::string("scenario \"S\" {\n") + line + "\n}");
    ASSERT_TRUE(scenario.has_value());
    const auto outcome = Simulate(workload_, *scenario);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().message.find("Nobody"), std::string::npos);
  }
}

// 300 doctors with 10,000 visits each do not fit in 3,000 rows: the doctors stay, and a read is charged as if all their visits were there.
TEST(SimulatedRowsTest, KeepKeysAndUnitsOfTheModel) {
  const auto read = model::ReadModel(R"(model "M"
entity Doctor {
  id    text(~8) key
  count 300
}
entity Visit {
  doctorId references Doctor.id key
  at       time key
  note     text(~100)
}
relationship Visits: Doctor one-to-many Visit {
  each Doctor has ~10_000
}
pattern All "All visits of a doctor" {
  find Visit where doctorId = :doctor
  rate 10/s
}
table Visits partition PK sort SK {
  item Doctor {
    PK = "D#{id}"
    SK = "DOCTOR"
  }
  item Visit {
    PK = "D#{doctorId}"
    SK = "V#{at}"
  }
}
)");
  const auto workload = MakeWorkload(read.model, {.rows = 3'000});
  ASSERT_TRUE(workload.has_value()) << workload.error().message;
  const auto scenario = ParseScenario("scenario \"S\" {\nfor 5 minutes\nwarm 40000 read 4000 write\n}\n");
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  const auto report = MakeReport("m.prejoin", *workload, *scenario, model::Prices());
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const double estimated = model::PlanAll(read.model)[0].estimate.read_units;
  EXPECT_GT(estimated, 150);
  EXPECT_EQ(report->outcome.all.failed, 0u);
  EXPECT_NEAR(report->outcome.resources[0].read_units / static_cast<double>(report->outcome.all.calls) / estimated, 1, 0.1);
  std::set<std::string> keys;
  for (const Execution& execution : workload->calls[0].executions) {
    keys.insert(execution.requests[0].key);
  }
  EXPECT_GT(keys.size(), 250u);
}

// A posting changes one of three accounts: the postings are new ones all the same.
TEST(SimulatedRowsTest, FewRowsAreChangedByManyWrites) {
  const auto read = model::ReadModel(R"(model "M"
entity Account {
  id      text(~8) key
  balance number
  count 3
}
entity Posting {
  id     text(~12) key
  amount number
  count 2_000
}
write Transfer "Post, and change the balance" {
  put Posting once
  update Account set balance
  together
  rate 10/s
}
write Audit "Change a balance" {
  update Account set balance
  rate 1/s
}
table Bank partition PK {
  item Account {
    PK = "ACC#{id}"
  }
  item Posting {
    PK = "POST#{id}"
  }
}
)");
  const auto workload = MakeWorkload(read.model, {.rows = 2'000});
  ASSERT_TRUE(workload.has_value()) << workload.error().message;
  ASSERT_EQ(workload->calls.size(), 2u);
  EXPECT_GT(workload->calls[0].executions.size(), 500u);
  std::set<std::string> items;
  for (const Execution& execution : workload->calls[0].executions) {
    for (const TransactWrite& write : std::get<TransactWriteItemsInput>(execution.requests[0].input).items) {
      items.insert(*write.item_or_key.Find("PK")->string());
    }
  }
  EXPECT_EQ(items.size(), workload->calls[0].executions.size() + 3);
  EXPECT_EQ(workload->calls[1].executions.size(), 3u);
}

// Says yes at one of the questions.
struct Asked {
  int yes_at = 1;
  int times = 0;
  GiveUp GiveUpAt() {
    return [this] { return ++times >= yes_at; };
  }
};

// Nobody waits any more: every part of the work ends at the next question, and asks no other.
TEST_F(SimulateTest, EndsWhenItIsGivenUp) {
  for (const int yes_at : {1, 2, 40}) {
    Asked preparing{yes_at};
    const auto workload =
        MakeWorkload(read_.model, {.rows = 5'000, .give_up = preparing.GiveUpAt()});
    ASSERT_FALSE(workload.has_value()) << yes_at;
    EXPECT_EQ(workload.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(preparing.times, yes_at);
  }
  const auto scenario = ParseScenario("scenario \"S\" {\nfor 60 minutes\n}\n");
  ASSERT_TRUE(scenario.has_value());
  for (const int yes_at : {1, 300, 3'000}) {
    Asked running{yes_at};
    const auto report =
        MakeReport("m", workload_, *scenario, model::Prices(), running.GiveUpAt());
    ASSERT_FALSE(report.has_value()) << yes_at;
    EXPECT_EQ(report.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(running.times, yes_at);
  }
}

// A week with a call a month is a search for the next arrival and little else.
TEST_F(SimulateTest, AnIdleWeekCanBeGivenUp) {
  Workload idle = workload_;
  for (Call& call : idle.calls) {
    call.per_second = 1.0 / (30 * 24 * 3'600);
  }
  const auto scenario = ParseScenario("scenario \"S\" {\nfor 168 hours\n}\n");
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  const auto items = static_cast<int>(workload_.items.size());
  Asked running{.yes_at = items / 32 + 100};
  const auto outcome = Simulate(idle, *scenario, running.GiveUpAt());
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
}

// Rows of 300 KB: fewer of them fill the same memory.
TEST(SimulatedRowsTest, LargeRowsAreFew) {
  const auto read = model::ReadModel(R"(model "M"
entity Film {
  id   text(~8) key
  data text(~300_000)
  count 50_000
}
pattern One "One" {
  find Film where id = :id
  rate 1/s
}
table Films partition PK {
  item Film {
    PK = "F#{id}"
  }
}
)");
  const auto workload = MakeWorkload(read.model, {.rows = 50'000, .bytes_max = 16e6});
  ASSERT_TRUE(workload.has_value()) << workload.error().message;
  EXPECT_GT(workload->items.size(), 20u);
  EXPECT_LT(workload->items.size(), 70u);
  const auto none = MakeWorkload(read.model, {.rows = 50'000, .bytes_max = 1e5});
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message.find("too large"), std::string::npos) << none.error().message;
}

TEST(ScenarioTest, ManyLinesAreRefused) {
  std::string text = "scenario \"S\" {\n";
  for (int i = 0; i < 300; ++i) {
    text += "load x1\n";
  }
  const auto scenario = ParseScenario(text + "}\n");
  ASSERT_FALSE(scenario.has_value());
  EXPECT_NE(scenario.error().message.find("line 201: "), std::string::npos) << scenario.error().message;
}

TEST(ScenarioTest, WrongLinesSayWhatToWrite) {
  for (const char* line : {"fro 1 minutes",
                           "for",
                           "for x minutes",
                           "for 1 fortnight",
                           "load 20",
                           "load x20 at",
                           "load x-1",
                           "hot 101%",
                           "hot",
                           "clients 0",
                           "clients 1.5",
                           "physics",
                           "physics aws,split-minutes=0",
                           "physics aws split-minutes=1",
                           "retries never",
                           "capacity",
                           "capacity provisioned 0 read 1 write",
                           "capacity provisioned 1 read 1 write scaling 10%",
                           "warm 1",
                           "scan T",
                           "scan T 0/s",
                           "objective",
                           "objective p99 > 5 ms",
                           "objective errors < 5",
                           "physics gcp",
                           "fault",
                           "fault meteor",
                           "fault error 101%",
                           "fault error of",
                           "fault error at noon",
                           "fault error for 5",
                           "timeout 0 seconds",
                           "timeout never",
                           "for 1e99 hours"}) {
    const auto scenario = ParseScenario(std::string("scenario \"S\" {\n") + line + "\n}\n");
    ASSERT_FALSE(scenario.has_value()) << line;
    EXPECT_TRUE(scenario.error().message.starts_with("line 2: ")) << scenario.error().message;
  }
  EXPECT_FALSE(ParseScenario("").has_value());
  const auto limit = ParseScenario("scenario \"S\" {\nphysics aws,split-minutes=0\n}\n");
  EXPECT_NE(limit.error().message.find("whole number from 1"), std::string::npos)
      << limit.error().message;
  EXPECT_FALSE(ParseScenario("scenario \"S\" {\n}\nfor 1 minutes").has_value());
}

TEST(ScenarioTest, LoadRisesAndEnds) {
  const Scenario scenario =
      *ParseScenario("scenario \"S\" {\nload x5 at 10 seconds over 10 seconds for 30 seconds\n}");
  EXPECT_DOUBLE_EQ(FactorAt(scenario, "A", 5), 1);
  EXPECT_DOUBLE_EQ(FactorAt(scenario, "A", 15), 3);
  EXPECT_DOUBLE_EQ(FactorAt(scenario, "A", 25), 5);
  EXPECT_DOUBLE_EQ(FactorAt(scenario, "A", 45), 1);
}

TEST(RetryPolicyTest, AttemptsAndWaits) {
  RandomSource random(1);
  RetryPolicy legacy(RetryMode::kLegacy);
  EXPECT_DOUBLE_EQ(legacy.WaitAfter(Failure::kThrottled, 1, 0, random)->ms, 50);
  EXPECT_DOUBLE_EQ(legacy.WaitAfter(Failure::kThrottled, 9, 0, random)->ms, 12'800);
  EXPECT_FALSE(legacy.WaitAfter(Failure::kThrottled, 10, 0, random));
  RetryPolicy standard(RetryMode::kStandard);
  double sum = 0;
  for (int i = 0; i < 90; ++i) {
    sum += standard.WaitAfter(Failure::kThrottled, 2, 0, random)->ms;
  }
  EXPECT_NEAR(sum / 90, 1'000, 150);  // Half of two seconds.
  EXPECT_FALSE(standard.WaitAfter(Failure::kThrottled, 4, 0, random));
  // The quota of 500 tokens ends after a hundred retries without a success.
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(standard.WaitAfter(Failure::kThrottled, 1, 0, random));
  }
  EXPECT_FALSE(standard.WaitAfter(Failure::kThrottled, 1, 0, random));
  standard.Succeeded(5, 0);
  EXPECT_TRUE(standard.WaitAfter(Failure::kThrottled, 1, 0, random));
}

// The figures of botocore 1.44.3, retries/standard.py, and of the SDK for JavaScript, util-retry.
TEST(RetryPolicyTest, TransientErrorsWaitLessAndCostMore) {
  RandomSource random(1);
  for (const auto& [mode, most_ms, retries] :
       {std::tuple{RetryMode::kStandard, 25.0, 35}, std::tuple{RetryMode::kStandardOld, 1000.0, 100},
        std::tuple{RetryMode::kStandardOldJs, 100.0, 100}}) {
    RetryPolicy policy(mode);
    int granted = 0;
    while (const auto wait = policy.WaitAfter(Failure::kTransient, 1, 0, random)) {
      EXPECT_LE(wait->ms, most_ms);
      ++granted;
    }
    EXPECT_EQ(granted, retries) << NameOf(mode);
  }
}

}  // namespace
}  // namespace prejoin::simulate
