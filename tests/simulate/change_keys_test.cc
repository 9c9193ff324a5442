// The same load with other keys: what throttled because of one key does not throttle any more, and costs what it will cost.
#include "simulate/change_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

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

constexpr char kEvents[] = R"(model "M"
entity Event {
  kind text(~5) values ("CLICK", "ORDER")
  id   text(~8) key
  body text(~1_000)
  count 2_000
}
pattern OfKind "Events of a kind" {
  find Event where kind = :kind
  rate 1/s
}
write Add "One more" {
  put Event once
  rate 1/s
}
table Events partition PK {
  index ByKind partition kind project all
  item Event {
    PK = "E#{id}"
  }
}
)";

constexpr char kTransfers[] = R"(model "M"
entity Account {
  id      text(~10) key
  balance number(12)
  count   2_000
}
entity Transfer {
  id     text(~16) key
  bank   text(~8) values ("NORTH", "SOUTH")
  amount number(9)
  count  4_000
}
write Pay "Post, and change two balances" {
  put Transfer once
  update Account where id = :from set balance
  update Account where id = :to set balance
  together
  rate 100/s
}
table Bank partition PK {
  index ByBank partition bank project keys
  item Account {
    PK = "ACC#{id}"
  }
  item Transfer {
    PK = "TRA#{id}"
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

// 32,000 small queries a second on the two keys of an index, each of half a unit: shards would make more of them.
TEST_F(ChangeKeysTest, CopiesOfAnIndexThatIsRead) {
  const Report report =
      Run(kOrders, "for 4 seconds\nwarm 40000 read 40000 write\nload x1600 of Open\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kIndexCopies);
  EXPECT_GT(Failed(report.outcome), 0.1);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.01);
  EXPECT_TRUE(report.with_change->other_errors.empty());
  const CallOutcome& open = CallNamed(*report.with_change, "Open");
  EXPECT_EQ(open.attempts, open.calls);
  // Each index pays for the writes.
  double indexes = 0;
  for (const ResourceOutcome& resource : report.with_change->resources) {
    indexes += resource.arn.find("/index/") != std::string::npos && resource.write_units > 0 ? 1 : 0;
  }
  EXPECT_EQ(indexes, report.advice->keys->count);
}

// Answers of a megabyte: their shards are parts of it.
TEST_F(ChangeKeysTest, ShardsOfAnIndexThatIsRead) {
  const Report report = Run(
      kEvents, "for 10 seconds\nwarm 40000 read 4000 write\nload x60 of OfKind\nhot 100% of OfKind\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kShards);
  EXPECT_EQ(report.advice->keys->resource.index, "ByKind");
  EXPECT_GT(Failed(report.outcome), 0.3);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.05);
  EXPECT_TRUE(report.with_change->other_errors.empty());
}

// A hot account: what each payment puts is new, and the other account is any.
TEST_F(ChangeKeysTest, HotRowsAreTheOnesThatExist) {
  Run(kTransfers, "for 1 seconds");
  ASSERT_EQ(workload_.calls.size(), 1u);
  const Call& pay = workload_.calls[0];
  ASSERT_EQ(pay.hot.size(), pay.executions.size());
  std::map<std::string, int> uses;
  for (const Execution& execution : pay.hot) {
    std::set<std::string> items;
    for (const TransactWrite& write : std::get<TransactWriteItemsInput>(execution.requests[0].input).items) {
      items.insert(*write.item_or_key.Find("PK")->string());
    }
    EXPECT_EQ(items.size(), 3u);
    for (const std::string& item : items) {
      ++uses[item];
    }
  }
  std::vector<int> most;
  for (const auto& [item, times] : uses) {
    most.push_back(times);
  }
  std::ranges::sort(most, std::greater<>());
  EXPECT_EQ(most[0], static_cast<int>(pay.hot.size()));
  EXPECT_LE(most[1], 3);
}

// A cancelled transaction asks for the units of all its members: 2,000 a second, with two units for each of three items.
TEST_F(ChangeKeysTest, MembersOfTransactionsAreDemand) {
  const Report report = Run(kTransfers, "for 20 seconds\nload x20\nhot 60%");
  ASSERT_TRUE(report.advice && report.advice->changed && report.advice->changed->warm);
  EXPECT_NEAR(static_cast<double>(report.advice->changed->warm->write), 2 * 12'000, 2'000);
  EXPECT_TRUE(report.advice->changed->retries_cancelled);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.001);
}

// Ten counters, each busier than a partition.
TEST_F(ChangeKeysTest, PartsOfSeveralItems) {
  const Report report =
      Run(kCounters, "for 5 seconds\nwarm 40000 read 40000 write\nload x130 of Hit\nretries none");
  ASSERT_TRUE(report.advice && report.advice->keys);
  EXPECT_EQ(report.advice->keys->kind, KeyChange::Kind::kParts);
  EXPECT_EQ(report.advice->keys->keys.size(), 10u);
  EXPECT_NE(report.advice->change.find("\" and 9 others into "), std::string::npos) << report.advice->change;
  EXPECT_GT(Failed(report.outcome), 0.2);
  ASSERT_TRUE(report.with_change);
  EXPECT_LT(Failed(*report.with_change), 0.02);
}

// Two limits throttle: the index by bank, and the partitions of the accounts. One change leaves the other.
TEST_F(ChangeKeysTest, OneChangeAfterTheOther) {
  const Report report = Run(kTransfers, "for 20 seconds\nload x26\nhot 60%");
  ASSERT_TRUE(report.advice && report.with_change);
  EXPECT_NE(report.advice->change.find("retry it in the program"), std::string::npos);
  EXPECT_GT(Failed(*report.with_change), 0.001);
  ASSERT_FALSE(report.further.empty());
  ASSERT_TRUE(report.further[0].outcome);
  EXPECT_TRUE(report.further[0].helps);
  EXPECT_LT(Failed(*report.further.back().outcome), 0.001);
  for (const FurtherChange& further : report.further) {
    EXPECT_TRUE(further.outcome->other_errors.empty());
  }
  const std::string text = RenderReport(report);
  EXPECT_NE(text.find("\nThen: "), std::string::npos) << text;
  EXPECT_EQ(text.find("simulate knows no"), std::string::npos) << text;
  EXPECT_NE(ReportJson(report).find("\"further\""), std::string::npos);
}

// Every item and every request stays, with one attribute more.
TEST_F(ChangeKeysTest, TheLoadStaysTheSame) {
  Run(kOrders, "for 1 seconds");
  const KeyChange change{.kind = KeyChange::Kind::kShards,
                         .resource = {.table = "Orders", .index = "ByStatus"},
                         .count = 4,
                         .keys = {}};
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
