// Throttling: the ten tests that the facts about AWS suggest, as far as they concern the engine, and
// the examples that AWS publishes. Limits are scaled down where only their proportions matter.
#include "engine/physics/physics.h"

#include <functional>
#include <map>
#include <string>

#include "base/worker.h"
#include "engine/engine_of.h"
#include "engine/physics/throughput.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr std::int64_t kStartMs = 1'700'000'040'000;  // A whole minute.
constexpr std::int64_t kMinute = 60;

// Partitions of 10 WCU and 30 RCU, hot after two minutes.
PhysicsOptions Small() {
  return {.partition_read_units = 30,
          .partition_write_units = 10,
          .on_demand_read_units = 120,
          .on_demand_write_units = 40,
          .split_minutes = 2};
}

std::string Padded(std::uint64_t number) {
  std::string text = std::to_string(number);
  return std::string(10 - text.size(), '0') + text;
}

// Evenly distributed and the same in every run.
std::uint64_t Scrambled(std::uint64_t number) { return number * 0x9E3779B97F4A7C15 >> 40; }

class PhysicsTest : public testing::Test {
 protected:
  void Open(const PhysicsOptions& physics) {
    db_.reset();
    clock_.Set(kStartMs);
    db_ = Must(Database::Open({.physics = physics, .clock = &clock_}));
  }
  static CreateTableInput Provisioned(CreateTableInput input, std::int64_t read,
                                      std::int64_t write) {
    input.billing_mode = BillingMode::kProvisioned;
    input.provisioned_throughput = {{read, write}};
    for (IndexSpecification& index : *input.global_indexes) {
      index.provisioned_throughput = {{read, write}};
    }
    return input;
  }

  // The reason of the request that was throttled; "" if it was not.
  template <class T>
  std::string ReasonOf(const Result<T>& result) {
    if (result) {
      return "";
    }
    const auto* detail = dynamic_cast<const ThrottlingDetail*>(result.error().detail.get());
    EXPECT_NE(detail, nullptr) << result.error().message;
    std::string reasons;
    for (const ThrottlingReason& reason : detail->reasons) {
      reasons += (reasons.empty() ? "" : " ") + reason.reason;
    }
    return reasons;
  }

  using Load = std::function<std::string(std::uint64_t number)>;
  // So many requests a second for so many seconds. How many were admitted, and the others by reason.
  std::map<std::string, int> Run(int seconds, int per_second, const Load& load) {
    std::map<std::string, int> outcomes;
    for (int second = 0; second < seconds; ++second) {
      for (int i = 0; i < per_second; ++i) {
        ++outcomes[load(number_++)];
        // Spread over the second, and exact at its end.
        clock_.Set(second_ms_ + (i + 1) * 1000 / per_second);
      }
      second_ms_ += 1000;
    }
    return outcomes;
  }
  std::string PutAt(const std::string& table, Item item) {
    return ReasonOf(db_->PutItem({.table_name = table, .item = std::move(item)}));
  }
  std::size_t PartitionCount(const std::string& arn_end) {
    std::size_t count = 0;
    engine::EngineOf(*db_).physics()->ForEach([&](const engine::Throughput& throughput) {
      if (throughput.settings().arn.ends_with(arn_end)) {
        count = throughput.partitions().all().size();
      }
    });
    return count;
  }

  VirtualClock clock_{kStartMs};
  std::int64_t second_ms_ = kStartMs;
  std::uint64_t number_ = 0;
  std::unique_ptr<Database> db_;
};

TEST_F(PhysicsTest, BurstIsFiveMinutesOfTheRate) {
  Open({});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{10, 10}};
  Must(db_->CreateTable(input));
  const auto outcomes = Run(20, 500, [&](std::uint64_t n) {
    return PutAt("T", {{"pk", std::to_string(n)}});
  });
  EXPECT_EQ(outcomes.at(""), 3'000 + 10 * 20);
  EXPECT_EQ(outcomes.at("TableWriteProvisionedThroughputExceeded"), 20 * 500 - 3'200);
  const auto refused = db_->PutItem({.table_name = "T", .item = {{"pk", "x"}}});
  EXPECT_EQ(refused.error().code, ErrorCode::kProvisionedThroughputExceeded);
  EXPECT_TRUE(
      refused.error().message.starts_with("The level of configured provisioned throughput"));
}

TEST_F(PhysicsTest, OneHotItemIsThrottledForEver) {
  Open({});
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  const auto put = [&](std::uint64_t) { return PutAt("T", {{"pk", "one"}}); };
  const auto outcomes = Run(5, 2'000, put);
  EXPECT_NEAR(outcomes.at(""), 5'000 + 1'000, 2);  // The second that a new partition has saved.
  EXPECT_EQ(outcomes.size(), 2u);
  EXPECT_TRUE(outcomes.contains("TableWriteKeyRangeThroughputExceeded"));
  auto refused = db_->PutItem({.table_name = "T", .item = {{"pk", "one"}}});
  while (refused) {
    refused = db_->PutItem({.table_name = "T", .item = {{"pk", "one"}}});
  }
  EXPECT_EQ(refused.error().code, ErrorCode::kThrottling);

  Open(Small());
  second_ms_ = kStartMs;
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  Run(20 * kMinute, 20, put);
  EXPECT_EQ(PartitionCount("table/T"), 4u);
  EXPECT_NEAR(Run(kMinute, 20, put).at(""), 600, 2);
}

TEST_F(PhysicsTest, AHotCollectionSplitsBySortKeyUnlessItCannot) {
  struct Case {
    const char* name;
    bool has_local_index;
    bool rises;
    int admitted_at_end;
  };
  for (const Case& one :
       {Case{"random", false, false, 1'200}, Case{"local index", true, false, 600},
        Case{"rising", false, true, 600}}) {
    SCOPED_TRACE(one.name);
    Open(Small());
    second_ms_ = kStartMs;
    number_ = 0;
    std::vector<IndexSpecification> local;
    if (one.has_local_index) {
      local.push_back(MakeIndex("l", Keys({"pk"}, {"other"})));
    }
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"sk"}), {}, local)));
    const auto put = [&](std::uint64_t n) {
      return PutAt("T", {{"pk", "p"}, {"sk", Padded(one.rises ? n : Scrambled(n) % 1'000)}});
    };
    EXPECT_LT(Run(2 * kMinute, 20, put).at(""), 2 * 600 + 20);
    Run(3 * kMinute, 20, put);
    EXPECT_NEAR(Run(kMinute, 20, put).at(""), one.admitted_at_end, 12);
  }
}

TEST_F(PhysicsTest, AnIndexKeyWithTwoValuesCapsTheTable) {
  Open({.split_minutes = 1});
  // Many partitions, so that the two keys have one each.
  const WarmThroughput warm{.read_units_per_second = 40'000, .write_units_per_second = 40'000};
  CreateTableInput input = MakeTable("T", Keys({"pk"}), {MakeIndex("status", Keys({"s"}))});
  input.warm_throughput = warm;
  input.global_indexes->front().warm_throughput = warm;
  Must(db_->CreateTable(input));
  const auto put = [&](std::uint64_t n) {
    return PutAt("T", {{"pk", std::to_string(n)}, {"s", n % 2 == 0 ? "OPEN" : "CLOSED"}});
  };
  Run(3, 3'000, put);  // What the partitions have saved.
  const auto outcomes = Run(3, 3'000, put);
  EXPECT_NEAR(outcomes.at(""), 3 * 2'000, 6);
  EXPECT_EQ(outcomes.size(), 2u);
  EXPECT_TRUE(outcomes.contains("IndexWriteKeyRangeThroughputExceeded"));
  auto refused = db_->PutItem({.table_name = "T", .item = {{"pk", "x"}, {"s", "OPEN"}}});
  for (int i = 0; refused && i < 10; ++i) {
    refused =
        db_->PutItem({.table_name = "T", .item = {{"pk", "x" + std::to_string(i)}, {"s", "OPEN"}}});
  }
  ASSERT_FALSE(refused);
  const auto& detail = dynamic_cast<const ThrottlingDetail&>(*refused.error().detail);
  EXPECT_TRUE(detail.reasons.front().resource.ends_with("table/T/index/status"));
  // Items without the attribute are not in the index.
  EXPECT_EQ(PutAt("T", {{"pk", "y"}}), "");
}

// AWS's example: a table of 400 WCU with four partitions, one of them at 150 and three at 50.
TEST_F(PhysicsTest, OnePartitionMayTakeAnyShareOfTheTable) {
  Open({.burst_seconds = 1});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{400, 400}};
  input.warm_throughput = {{.read_units_per_second = 12'000, .write_units_per_second = 4'000}};
  Must(db_->CreateTable(input));
  clock_.Advance(1'000);
  second_ms_ += 1'000;
  const auto outcomes = Run(60, 300, [&](std::uint64_t n) {
    const std::uint64_t key = n % 6 < 3 ? 0 : n % 6 - 2;
    return PutAt("T", {{"pk", std::to_string(key)}});
  });
  EXPECT_EQ(outcomes.at(""), 60 * 300);
  EXPECT_EQ(PartitionCount("table/T"), 8u);  // Reads and writes are added up.
}

// AWS's example: reads on one partition grow after it has split.
TEST_F(PhysicsTest, ReadsGrowAfterTheSplit) {
  PhysicsOptions options = Small();
  options.partition_read_units = 45;  // 90 eventually consistent reads a second.
  options.on_demand_read_units = 45;
  options.on_demand_write_units = 1'000;
  options.partition_write_units = 1'000;
  options.split_minutes = 10;
  Open(options);
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 100; ++i) {
    PutAt("T", {{"pk", std::to_string(i)}});
  }
  ASSERT_EQ(PartitionCount("table/T"), 1u);
  const auto query = [&](std::uint64_t n) {
    return ReasonOf(db_->Query({.table_name = "T",
                                .key_condition_expression = "pk = :p",
                                .expression_attribute_values =
                                    AttributeValues{{":p", std::to_string(Scrambled(n) % 100)}}}));
  };
  EXPECT_NEAR(Run(10 * kMinute, 120, query).at(""), 10 * 60 * 90, 1'500);
  Run(kMinute, 120, query);
  EXPECT_EQ(PartitionCount("table/T"), 2u);
  // The table's own capacity follows 30 minutes after the peak began.
  Run(20 * kMinute, 120, query);
  EXPECT_EQ(Run(kMinute, 120, query).at(""), 60 * 120);
}

TEST_F(PhysicsTest, OnDemandDoublesItsPeakAfterHalfAnHour) {
  Open(Small());
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  const auto put = [&](std::uint64_t n) {
    return PutAt("T", {{"pk", std::to_string(Scrambled(n) % 5'000)}});
  };
  const auto over = Run(kMinute, 50, put);
  EXPECT_LE(over.at(""), 60 * 40 + 40);
  EXPECT_TRUE(over.contains("TableWriteKeyRangeThroughputExceeded"));
  Run(31 * kMinute, 40, put);
  EXPECT_EQ(PartitionCount("table/T"), 8u);
  EXPECT_GT(Run(kMinute, 70, put).at(""), 60 * 68);  // Keys are not perfectly even.
}

TEST_F(PhysicsTest, WarmThroughputIsAtHandAtOnce) {
  Open(Small());
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.warm_throughput = {{.read_units_per_second = 240, .write_units_per_second = 160}};
  Must(db_->CreateTable(input));
  const auto outcomes = Run(10, 80, [&](std::uint64_t n) {
    return PutAt("T", {{"pk", std::to_string(Scrambled(n))}});
  });
  EXPECT_GT(outcomes.at(""), 780);
  EXPECT_EQ(PartitionCount("table/T"), 16u);
}

// Partitions beyond the quota would serve nobody, and a few thousand tables of them would fill the memory.
TEST_F(PhysicsTest, PartitionsEndWithTheQuota) {
  Open({});
  constexpr std::int64_t kAnything = 1'000'000'000'000;
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.warm_throughput = {
      {.read_units_per_second = kAnything, .write_units_per_second = kAnything}};
  Must(db_->CreateTable(input));
  EXPECT_EQ(PutAt("T", {{"pk", "x"}}), "");
  EXPECT_EQ(PartitionCount("table/T"), 40u);
  input = MakeTable("U", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{1, 1}};
  Must(db_->CreateTable(input));
  EXPECT_EQ(PutAt("U", {{"pk", "x"}}), "");
  Must(db_->UpdateTable({.table_name = "U", .provisioned_throughput = {{kAnything, kAnything}}}));
  EXPECT_EQ(PartitionCount("table/U"), 64u);
}

TEST_F(PhysicsTest, ProvisionedCapacityDoublesPartitions) {
  Open({});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{1, 3'200}};
  Must(db_->CreateTable(input));
  EXPECT_EQ(PutAt("T", {{"pk", "x"}}), "");
  EXPECT_EQ(PartitionCount("table/T"), 4u);
  const auto provision = [&](std::int64_t write) {
    Must(db_->UpdateTable({.table_name = "T", .provisioned_throughput = {{1, write}}}));
    return PartitionCount("table/T");
  };
  EXPECT_EQ(provision(3'600), 4u);
  EXPECT_EQ(provision(6'000), 8u);
  EXPECT_EQ(provision(1'000), 8u);
}

TEST_F(PhysicsTest, CapacityIsDecreasedTwentySevenTimesADay) {
  Open({});
  const std::int64_t day_ms = kStartMs - kStartMs % 86'400'000 + 86'400'000;
  clock_.Set(day_ms);
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{10, 1'000}};
  Must(db_->CreateTable(input));
  std::int64_t units = 1'000;
  int decreases = 0;
  for (int hour = 0; hour < 24; ++hour) {
    clock_.Set(day_ms + hour * std::int64_t{3'600'000});
    while (db_->UpdateTable({.table_name = "T", .provisioned_throughput = {{10, units - 1}}})) {
      --units;
      ++decreases;
    }
  }
  EXPECT_EQ(decreases, 27);
  const auto refused =
      db_->UpdateTable({.table_name = "T", .provisioned_throughput = {{10, units - 1}}});
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  Must(db_->UpdateTable({.table_name = "T", .provisioned_throughput = {{10, units + 1}}}));
}

TEST_F(PhysicsTest, FourSwitchesToOnDemandInADay) {
  Open({});
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  const auto to_provisioned = [&] {
    Must(db_->UpdateTable({.table_name = "T",
                           .billing_mode = BillingMode::kProvisioned,
                           .provisioned_throughput = {{1, 1}}}));
  };
  const auto to_on_demand = [&] {
    return db_->UpdateTable({.table_name = "T", .billing_mode = BillingMode::kPayPerRequest});
  };
  for (int i = 0; i < 4; ++i) {
    to_provisioned();
    Must(to_on_demand());
  }
  to_provisioned();
  EXPECT_EQ(to_on_demand().error().code, ErrorCode::kLimitExceeded);
  clock_.Advance(24 * 3'600'000);
  Must(to_on_demand());
}

TEST_F(PhysicsTest, BatchesAnswerForEachMember) {
  Open({});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.on_demand_throughput = {{.max_read_request_units = 5, .max_write_request_units = 10}};
  Must(db_->CreateTable(input));
  BatchWriteItemInput batch;
  for (int i = 0; i < 20; ++i) {
    batch.request_items["T"].push_back({.put = Item{{"pk", std::to_string(i)}}});
  }
  const auto half = Must(db_->BatchWriteItem(batch));
  ASSERT_EQ(half.unprocessed_items.at("T").size(), 10u);
  EXPECT_EQ(*half.unprocessed_items.at("T").front().put->Find("pk"), AttributeValue("10"));
  const auto none = db_->BatchWriteItem(batch);
  ASSERT_FALSE(none);
  EXPECT_EQ(ReasonOf(none), "TableWriteMaxOnDemandThroughputExceeded");
  EXPECT_EQ(none.error().message,
            "Throughput exceeds the maximum OnDemandThroughput configured on table or index");

  BatchGetItemInput gets;
  for (int i = 0; i < 20; ++i) {
    gets.request_items["T"].keys.push_back({{"pk", std::to_string(i)}});
  }
  const auto got = Must(db_->BatchGetItem(gets));  // Half a unit for each.
  EXPECT_EQ(got.responses.at("T").size(), 10u);
  EXPECT_EQ(got.unprocessed_keys.at("T").keys.size(), 10u);
  EXPECT_EQ(ReasonOf(db_->BatchGetItem(gets)), "TableReadMaxOnDemandThroughputExceeded");
  clock_.Advance(60'000);
  EXPECT_EQ(Must(db_->BatchWriteItem(batch)).unprocessed_items.at("T").size(), 10u);
}

TEST_F(PhysicsTest, TransactionsAreCancelledWhole) {
  Open({.burst_seconds = 1});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{4, 4}};
  Must(db_->CreateTable(input));
  const auto write = [&](const std::string& key) {
    return TransactWrite{
        .action = TransactAction::kPut, .table_name = "T", .item_or_key = {{"pk", key}}};
  };
  // Two units for each write: the third finds nothing.
  const auto refused = db_->TransactWriteItems({.items = {write("a"), write("b"), write("c")}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTransactionCanceled);
  const auto& detail = dynamic_cast<const CancellationDetail&>(*refused.error().detail);
  EXPECT_EQ(detail.reasons[0].code, "None");
  EXPECT_EQ(detail.reasons[2].code, "ProvisionedThroughputExceeded");
  EXPECT_FALSE(Get(*db_, "T", {{"pk", "a"}}).has_value());
  // Nothing was taken, so that two of them pass.
  Must(db_->TransactWriteItems({.items = {write("a"), write("b")}}));
  EXPECT_EQ(PutAt("T", {{"pk", "d"}}), "TableWriteProvisionedThroughputExceeded");
}

TEST_F(PhysicsTest, AFailedConditionCostsAndIsThrottledFirst) {
  Open({.burst_seconds = 1});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{2, 2}};
  Must(db_->CreateTable(input));
  const PutItemInput put{
      .table_name = "T", .item = {{"pk", "a"}}, .condition_expression = "attribute_exists(pk)"};
  EXPECT_EQ(db_->PutItem(put).error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(db_->PutItem(put).error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(db_->PutItem(put).error().code, ErrorCode::kProvisionedThroughputExceeded);
}

TEST_F(PhysicsTest, EveryIndexWithoutRoomIsNamedAndCounted) {
  Open({.burst_seconds = 1});
  CreateTableInput input =
      Provisioned(MakeTable("T", Keys({"pk"}),
                            {MakeIndex("a", Keys({"sa"})), MakeIndex("b", Keys({"sb"})),
                             MakeIndex("c", Keys({"sc"}))}),
                  1, 1);
  Must(db_->CreateTable(input));
  const auto put = [&] { return PutAt("T", {{"pk", "x"}, {"sa", "1"}, {"sb", "1"}, {"sc", "1"}}); };
  EXPECT_EQ(put(), "");
  EXPECT_EQ(put(), "TableWriteProvisionedThroughputExceeded");  // The entries do not change.
  clock_.Advance(1'000);
  Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", "x"}}}));
  EXPECT_EQ(put(),
            "TableWriteProvisionedThroughputExceeded IndexWriteProvisionedThroughputExceeded "
            "IndexWriteProvisionedThroughputExceeded IndexWriteProvisionedThroughputExceeded");
  std::uint64_t events = 0;
  engine::EngineOf(*db_).physics()->ForEach([&](const engine::Throughput& throughput) {
    for (const auto& minute : throughput.minutes()) {
      for (const std::uint64_t count : minute.throttle_events[1]) {
        events += count;
      }
    }
  });
  EXPECT_EQ(events, 1u + 4u);
}

TEST_F(PhysicsTest, TheAccountsLimitHasItsOwnException) {
  Open({.table_read_quota = 3, .table_write_quota = 3});
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("i", Keys({"s"}))})));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(PutAt("T", {{"pk", std::to_string(i)}}), "");
  }
  const auto refused = db_->PutItem({.table_name = "T", .item = {{"pk", "x"}}});
  EXPECT_EQ(refused.error().code, ErrorCode::kRequestLimitExceeded);
  EXPECT_EQ(ReasonOf(refused), "TableWriteAccountLimitExceeded");
}

TEST_F(PhysicsTest, TimeMovesOnlyWithTheClock) {
  Open({.burst_seconds = 1});
  CreateTableInput input = MakeTable("T", Keys({"pk"}));
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = {{1, 1}};
  Must(db_->CreateTable(input));
  Must(db_->UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_EQ(PutAt("T", {{"pk", "a"}, {"ttl", kStartMs / 1'000 + 3'600}}), "");
  EXPECT_EQ(PutAt("T", {{"pk", "b"}}), "TableWriteProvisionedThroughputExceeded");
  clock_.Advance(1'800'000);
  db_->CatchUp();
  EXPECT_TRUE(Get(*db_, "T", {{"pk", "a"}}).has_value());
  clock_.Advance(1'801'000);
  db_->CatchUp();
  EXPECT_FALSE(Get(*db_, "T", {{"pk", "a"}}).has_value());
  // The deletion cost nothing.
  EXPECT_EQ(PutAt("T", {{"pk", "b"}}), "");
}

TEST(PhysicsOptionsTest, AreReadFromText) {
  EXPECT_EQ(Must(ParsePhysics("aws")).burst_seconds, 300);
  const PhysicsOptions options = Must(ParsePhysics("aws,burst-seconds=60,split-minutes=5"));
  EXPECT_EQ(options.burst_seconds, 60);
  EXPECT_EQ(options.split_minutes, 5);
  for (const char* wrong :
       {"", "gcp", "aws,", "aws,burst-seconds", "aws,burst-seconds=", "aws,burst-seconds=0",
        "aws,burst-seconds=1x", "aws,nothing=1", "aws,burst-seconds=99999999999999999999"}) {
    EXPECT_FALSE(ParsePhysics(wrong)) << wrong;
  }
}

TEST(VirtualClockTest, MovesAsItIsTold) {
  VirtualClock clock(1'000);
  EXPECT_EQ(clock.NowMs(), 1'000);
  clock.Advance(500);
  EXPECT_EQ(clock.NowMs(), 1'500);
  clock.Set(10);
  EXPECT_EQ(clock.NowMs(), 10);
  clock.SetRate(1'000'000);
  const std::int64_t before = clock.NowMs();
  EXPECT_GE(clock.NowMs(), before);
  clock.SetRate(0);
  EXPECT_EQ(clock.NowMs(), clock.NowMs());
}

}  // namespace
}  // namespace prejoin
