// The same load with other keys: what throttled because of one key does not throttle any more, and costs what it will cost.
#include "simulate/change_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/bind/read_model.h"
#include "simulate/report.h"

namespace prejoin::simulate {
namespace {

constexpr char kOrders[] = R"(model "M"
entity Order {
  customer text(~8)
  id       text(~8) key
  status   text(~7) values ("OPEN", "CLOSED")
  count 4_000
}
pattern Open "Orders by status" {
  find Order where status = :status limit 5
  rate 20/s
}
pattern Get "One" {
  find Order where id = :id
  rate 50/s
}
write Add "One more" {
  put Order once
  rate 50/s
}
table Orders partition PK {
  index ByStatus partition status project all
  item Order {
    PK = "O#{id}"
  }
}
)";

constexpr char kCounters[] = R"(model "M"
entity Counter {
  id   text(~8) key
  hits number
  count 10
}
pattern Read "One" {
  find Counter where id = :id
  rate 100/s
}
write Hit "One hit more" {
  update Counter set hits
  rate 100/s
}
table Counters partition PK {
  item Counter {
    PK = "C#{id}"
  }
}
)";

constexpr char kVisits[] = R"(model "M"
entity Visit {
  doctor text(~8) key
  at     time key
  count 2_000
}
pattern All "Visits of a doctor" {
  find Visit where doctor = :doctor limit 10
  rate 10/s
}
write Add "One more" {
  put Visit once
  rate 100/s
}
table Visits partition PK sort SK {
  item Visit {
    PK = "DOCTORS"
    SK = "V#{doctor}#{at}"
  }
}
)";

class ChangeKeysTest : public testing::Test {
 protected:
  Report Run(const std::string& text, const std::string& lines) {
    const auto read = model::ReadModel(text);
    EXPECT_TRUE(read.ok) << read.diagnostics.front().message;
    auto workload = MakeWorkload(read.model, {.rows = 4'000});
    EXPECT_TRUE(workload.has_value()) << (workload ? "" : workload.error().message);
    workload_ = *std::move(workload);
    const auto scenario = ParseScenario("scenario \"S\" {\n" + lines + "\n}\n");
    EXPECT_TRUE(scenario.has_value()) << (scenario ? "" : scenario.error().message);
    auto report = MakeReport("m.prejoin", workload_, *scenario, model::Prices());
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    return *std::move(report);
  }

  static double Failed(const Outcome& outcome) {
    return static_cast<double>(outcome.all.failed) / static_cast<double>(outcome.all.calls);
  }
  static const CallOutcome& CallNamed(const Outcome& outcome, const std::string& name) {
    return *std::ranges::find(outcome.calls, name, &CallOutcome::name);
  }

  Workload workload_;
};

// 3,000 writes a second on the two keys of an index. Each query asks every shard.
TEST_F(ChangeKeysTest, ShardsOfAnIndex) {
  const Report report =
      Run(kOrders, "for 20 seconds\nwarm 40000 read 40000 write\nload x60 of Add\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kShards);
  EXPECT_EQ(report.advice->keys->resource.index, "ByStatus");
  EXPECT_GT(Failed(report.outcome), 0.25);
  ASSERT_TRUE(report.with_change);
  EXPECT_EQ(report.with_change->all.failed, 0u);
  EXPECT_TRUE(report.with_change->other_errors.empty())
      << report.with_change->other_errors.begin()->first;
  const CallOutcome& open = CallNamed(*report.with_change, "Open");
  EXPECT_EQ(open.attempts, open.calls * static_cast<std::uint64_t>(report.advice->keys->count));
  // They are asked together: the slowest of a few answers, not their sum.
  EXPECT_LT(open.latencies.Percentile(0.5),
            2.5 * CallNamed(report.outcome, "Open").latencies.Percentile(0.5));
  EXPECT_NE(RenderReport(report).find("With this change: Nothing was throttled"), std::string::npos);
}

// A collection that takes all writes. With a shard number from the sort key, reads of the collection ask every shard.
TEST_F(ChangeKeysTest, ShardsOfATable) {
  const Report report =
      Run(kVisits, "for 20 seconds\nwarm 40000 read 40000 write\nload x30 of Add\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kShards);
  EXPECT_GT(Failed(report.outcome), 0.25);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.01);
  EXPECT_TRUE(report.with_change->other_errors.empty());
}

// One item that all clients count in.
TEST_F(ChangeKeysTest, PartsOfAnItem) {
  const Report report = Run(
      kCounters, "for 20 seconds\nwarm 40000 read 40000 write\nload x30 of Hit\nhot 100% of Hit\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kParts);
  EXPECT_GT(Failed(report.outcome), 0.5);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.02);
  EXPECT_TRUE(report.with_change->other_errors.empty());
  EXPECT_GT(CallNamed(*report.with_change, "Read").attempts, CallNamed(*report.with_change, "Read").calls);
}

// One item that all clients read. Its writes write all copies.
TEST_F(ChangeKeysTest, CopiesOfAnItem) {
  const Report report = Run(
      kCounters, "for 10 seconds\nwarm 40000 read 40000 write\nload x150 of Read\nhot 90%\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys) << report.advice->why;
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kCopies);
  EXPECT_GT(Failed(report.outcome), 0.25);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.02);
  EXPECT_TRUE(report.with_change->other_errors.empty());
  EXPECT_GT(CallNamed(*report.with_change, "Hit").attempts, CallNamed(*report.with_change, "Hit").calls);
}

// Every item and every request stays, with one attribute more.
TEST_F(ChangeKeysTest, TheLoadStaysTheSame) {
  Run(kOrders, "for 1 seconds");
  const KeyChange change{.kind = KeyChange::Kind::kShards,
                         .resource = {.table = "Orders", .index = "ByStatus"},
                         .count = 4,
                         .key = ""};
  const auto changed = WithKeys(workload_, change);
  ASSERT_TRUE(changed);
  ASSERT_EQ(changed->items.size(), workload_.items.size());
  std::set<std::string> shards;
  for (std::size_t i = 0; i < changed->items.size(); ++i) {
    Item item = changed->items[i].second;
    shards.insert(item.Find("_shard")->number()->ToString());
    item.Remove("_shard");
    EXPECT_EQ(item, workload_.items[i].second);
  }
  EXPECT_EQ(shards, (std::set<std::string>{"0", "1", "2", "3"}));
  EXPECT_FALSE(WithKeys(workload_, {.resource = {.table = "Nothing"}}));
  EXPECT_FALSE(WithKeys(workload_, {.resource = {.table = "Orders", .index = "Nothing"}}));
}

}  // namespace
}  // namespace prejoin::simulate
