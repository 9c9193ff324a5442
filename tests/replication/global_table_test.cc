// Tables with replicas in several regions of one server: members, settings, conflicts, deletions.
#include <gmock/gmock.h>

#include "tests/engine/item_text.h"
#include "tests/engine/stream_reader.h"
#include "tests/replication/region_databases.h"

namespace prejoin {
namespace {

using testing::HasSubstr;

const std::string kEu = "eu-west-1";
const std::string kEast = "us-east-1";
const std::string kWest = "us-west-2";

class GlobalTable : public testing::Test {
 protected:
  void Create(CreateTableInput input = MakeTable("T", Keys({"pk"}))) {
    Must(regions_[kEu].CreateTable(input));
  }
  void CreateEverywhere(const CreateTableInput& input = MakeTable("T", Keys({"pk"}))) {
    regions_.CreateEverywhere(input);
  }
  std::string At(const std::string& region, const std::string& key) {
    const auto item = Get(regions_[region], "T", {{"pk", key}});
    return item ? Text(*item) : "none";
  }
  static std::string ErrorOf(const Status& status) {
    return status ? "none" : status.error().message;
  }
  std::string ErrorOfUpdate(const std::string& region, const UpdateTableInput& input) {
    const auto updated = regions_[region].UpdateTable(input);
    return updated ? "none" : updated.error().message;
  }
  void AwaitGone(const std::string& region) {
    RegionDatabases::Await("the table is gone",
                           [&] { return !regions_[region].DescribeTable("T").has_value(); });
  }
  void AwaitReplicas(const std::string& region, std::size_t count) {
    RegionDatabases::Await("the replicas are known", [&] {
      const auto replicas = regions_.Describe(region, "T").replicas;
      return (replicas ? replicas->size() : 0) == count;
    });
  }

  FakeClock clock_;
  RegionDatabases regions_{clock_};
};

TEST_F(GlobalTable, AReplicaGetsWhatWasThereAndWhatComes) {
  Create();
  Put(regions_[kEu], "T", {{"pk", "old"}, {"v", 1}});
  Must(regions_.AddReplica(kEu, "T", kEast));
  Put(regions_[kEu], "T", {{"pk", "meanwhile"}, {"v", 2}});
  regions_.AwaitActive("T", 2);
  Put(regions_[kEast], "T", {{"pk", "back"}, {"v", 3}});
  regions_.AwaitSent();
  for (const std::string& region : {kEu, kEast}) {
    EXPECT_EQ(At(region, "old"), R"({pk: "old", v: 1})") << region;
    EXPECT_EQ(At(region, "meanwhile"), R"({pk: "meanwhile", v: 2})") << region;
    EXPECT_EQ(At(region, "back"), R"({pk: "back", v: 3})") << region;
  }
}

TEST_F(GlobalTable, EachRegionListsTheOthers) {
  Create();
  EXPECT_FALSE(regions_.Describe(kEu, "T").replicas);
  Must(regions_.AddReplica(kEu, "T", kEast));
  regions_.AwaitActive("T", 2);
  Must(regions_.AddReplica(kEast, "T", kWest));
  regions_.AwaitActive("T", 3);
  const auto names = [&](const std::string& region) {
    const TableDescription table = regions_.Describe(region, "T");
    std::vector<std::string> listed;
    for (const ReplicaDescription& replica : *table.replicas) {
      listed.push_back(replica.region_name);
    }
    return listed;
  };
  EXPECT_EQ(names(kEu), (std::vector<std::string>{kEast, kWest}));
  EXPECT_EQ(names(kEast), (std::vector<std::string>{kEu, kWest}));
  EXPECT_EQ(names(kWest), (std::vector<std::string>{kEast, kEu}));
  EXPECT_NE(regions_.Describe(kEu, "T").table_id, regions_.Describe(kWest, "T").table_id);
  EXPECT_THAT(regions_.Describe(kWest, "T").arn, HasSubstr(kWest));
}

TEST_F(GlobalTable, AStreamIsSwitchedOnAndStaysAsItIs) {
  Create();
  Must(regions_.AddReplica(kEu, "T", kEast));
  regions_.AwaitActive("T", 2);
  for (const std::string& region : {kEu, kEast}) {
    const auto described = regions_.Describe(region, "T");
    ASSERT_TRUE(described.stream) << region;
    EXPECT_EQ(described.stream->view_type, StreamViewType::kNewAndOldImages);
    EXPECT_THAT(ErrorOfUpdate(region, {.table_name = "T", .stream = StreamSpecification{}}),
                HasSubstr("Disabling Stream is not allowed for a Global Table replica."));
  }
  Must(regions_[kEu].CreateTable([] {
    auto input = MakeTable("Keys", Keys({"pk"}));
    input.stream = StreamSpecification{.enabled = true, .view_type = StreamViewType::kKeysOnly};
    return input;
  }()));
  Must(regions_.AddReplica(kEu, "Keys", kEast));
  regions_.AwaitActive("Keys", 2);
  EXPECT_EQ(regions_.Describe(kEast, "Keys").stream->view_type, StreamViewType::kKeysOnly);
}

TEST_F(GlobalTable, RequestsThatAwsRefusesAreRefused) {
  Create();
  Must(regions_[kEast].CreateTable(MakeTable("T", Keys({"pk"}))));
  EXPECT_THAT(ErrorOf(regions_.AddReplica(kEu, "T", kEast)),
              HasSubstr("because one or more replicas already existed as tables."));
  EXPECT_THAT(ErrorOf(regions_.AddReplica(kEu, "T", kEu)),
              HasSubstr("Cannot add or delete the local region through ReplicaUpdates."));
  EXPECT_EQ(ErrorOf(regions_.AddReplica(kEu, "T", "us-fake-1")),
            "Region us-fake-1 is not supported.");
  EXPECT_THAT(ErrorOf(regions_.DeleteReplica(kEu, "T", kWest)),
              HasSubstr("Please retry the request without these replicas: [us-west-2]."));
  EXPECT_THAT(ErrorOf(regions_.AddReplica(kEu, "None", kWest)), HasSubstr("None not found"));
  UpdateTableInput input{.table_name = "T"};
  input.replica_updates.emplace();
  input.replica_updates->push_back({.create = ReplicaUpdate::Settings{.region_name = kWest}});
  input.deletion_protection = true;
  EXPECT_THAT(ErrorOfUpdate(kEu, input), HasSubstr("must be the only operation in the request"));
  input.deletion_protection.reset();
  input.multi_region_consistency = MultiRegionConsistency::kStrong;
  EXPECT_THAT(ErrorOfUpdate(kEu, input), HasSubstr("STRONG is not supported"));
  input.multi_region_consistency.reset();
  input.replica_updates->push_back({.create = ReplicaUpdate::Settings{.region_name = kEast}});
  EXPECT_THAT(ErrorOfUpdate(kEu, input),
              HasSubstr("more than one create or delete replica actions not allowed"));
  input.replica_updates->pop_back();
  input.replica_updates->front().remove = kEast;
  EXPECT_THAT(ErrorOfUpdate(kEu, input), HasSubstr("more than one type of replica actions"));
  input.replica_updates->front() = {};
  EXPECT_THAT(ErrorOfUpdate(kEu, input), HasSubstr("There are no actions specified"));
  CreateTableInput provisioned = MakeTable("P", Keys({"pk"}));
  provisioned.billing_mode = BillingMode::kProvisioned;
  provisioned.provisioned_throughput = ProvisionedThroughput{1, 1};
  Create(provisioned);
  EXPECT_EQ(ErrorOf(regions_.AddReplica(kEu, "P", kEast)),
            "Table write capacity should either be Pay-Per-Request or AutoScaled.");
  EXPECT_FALSE(regions_.Describe(kEu, "T").replicas);
  // Nobody else made a table.
  EXPECT_FALSE(regions_[kWest].DescribeTable("T"));
}

TEST_F(GlobalTable, ADatabaseAloneHasNoReplicas) {
  const auto alone = OpenInMemory();
  Must(alone->CreateTable(MakeTable("T", Keys({"pk"}))));
  UpdateTableInput input{.table_name = "T"};
  input.replica_updates.emplace();
  input.replica_updates->push_back({.create = ReplicaUpdate::Settings{.region_name = kWest}});
  EXPECT_THAT(alone->UpdateTable(input).error().message, HasSubstr("--separate-regions"));
}

TEST_F(GlobalTable, TheLastWriterWins) {
  CreateEverywhere();
  regions_.group().Pause({kEu, kEast, kWest});
  Put(regions_[kEast], "T", {{"pk", "a"}, {"v", "first"}});
  clock_.Advance(1);
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", "second"}});
  clock_.Advance(1);
  Put(regions_[kWest], "T", {{"pk", "b"}, {"v", "before the deletion"}});
  Put(regions_[kEu], "T", {{"pk", "b"}, {"v", "deleted"}});
  clock_.Advance(1);
  Must(regions_[kEu].DeleteItem({.table_name = "T", .key = {{"pk", "b"}}}));
  EXPECT_EQ(At(kEast, "a"), R"({pk: "a", v: "first"})");
  regions_.group().Pause({});
  regions_.AwaitSent();
  for (const std::string& region : kRegionNames) {
    EXPECT_EQ(At(region, "a"), R"({pk: "a", v: "second"})") << region;
    EXPECT_EQ(At(region, "b"), "none") << region;
  }
}

// Writes of the same millisecond, and of a region whose clock has stood still: all regions choose the same winner.
TEST_F(GlobalTable, AllRegionsAgreeOnOneOfTwoWritesAtTheSameTime) {
  CreateEverywhere();
  for (int i = 0; i < 20; ++i) {
    regions_.group().Pause({kEu, kEast, kWest});
    for (const std::string& region : kRegionNames) {
      Put(regions_[region], "T", {{"pk", "a"}, {"v", region}, {"n", i}});
    }
    regions_.group().Pause({});
    regions_.AwaitSent();
    EXPECT_EQ(At(kEast, "a"), At(kEu, "a"));
    EXPECT_EQ(At(kWest, "a"), At(kEu, "a"));
    EXPECT_THAT(At(kEu, "a"), HasSubstr("n: " + std::to_string(i)));
  }
}

TEST_F(GlobalTable, AWriteAfterAReplicatedOneWinsAlthoughTheClockStandsStill) {
  CreateEverywhere();
  for (int i = 0; i < 5; ++i) {
    Put(regions_[kRegionNames[static_cast<std::size_t>(i) % 3]], "T", {{"pk", "a"}, {"n", i}});
    regions_.AwaitSent();
  }
  for (const std::string& region : kRegionNames) {
    EXPECT_EQ(At(region, "a"), R"({n: 4, pk: "a"})") << region;
  }
}

TEST_F(GlobalTable, ConditionsSeeTheirRegionOnly) {
  CreateEverywhere();
  regions_.group().Pause({kEast});
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 1}});
  const PutItemInput create{.table_name = "T",
                            .item = {{"pk", "a"}, {"v", 2}},
                            .condition_expression = "attribute_not_exists(pk)"};
  EXPECT_FALSE(regions_[kEu].PutItem(create));
  EXPECT_TRUE(regions_[kEast].PutItem(create));
}

TEST_F(GlobalTable, WritesOutliveAStopBeforeTheyAreSent) {
  CreateEverywhere();
  regions_.group().Pause({kEast});
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 1}});
  RegionDatabases::Await("the third region has it", [&] { return At(kWest, "a") != "none"; });
  EXPECT_EQ(At(kEast, "a"), "none");
  // The item is there a moment before it is known to be.
  RegionDatabases::Await("one is on its way", [&] { return regions_.group().waiting() == 1; });
  regions_.Reopen();
  regions_.AwaitSent();
  EXPECT_EQ(At(kEast, "a"), R"({pk: "a", v: 1})");
}

TEST_F(GlobalTable, AStopWhileReplicasJoinIsMadeUpFor) {
  Create();
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 1}});
  for (int left = 0; left < 12; ++left) {
    // The wish of the request is the first transaction of eu-west-1.
    regions_.proxy(kEast).transactions_left = left;
    (void)regions_.AddReplica(kEu, "T", kEast);
    regions_.Break(kRegionNames);
    regions_.Reopen();
    RegionDatabases::Await("the replica is there", [&] {
      const auto described = regions_[kEast].DescribeTable("T");
      return described && described->status == TableStatus::kActive;
    });
    regions_.AwaitActive("T", 2);
    EXPECT_EQ(At(kEast, "a"), R"({pk: "a", v: 1})") << left;
    clock_.Advance(25 * 60 * 60 * 1000);
    Must(regions_.DeleteReplica(kEu, "T", kEast));
    AwaitGone(kEast);
    AwaitReplicas(kEu, 0);
  }
}

TEST_F(GlobalTable, SettingsReachEveryReplica) {
  CreateEverywhere();
  UpdateTableInput add{.table_name = "T"};
  add.attribute_definitions = {{"pk", ScalarType::kString}, {"a", ScalarType::kString}};
  add.global_index_updates.emplace();
  add.global_index_updates->push_back({.create = MakeIndex("g", Keys({"a"}))});
  Must(regions_[kEast].UpdateTable(add));
  Must(regions_[kWest].UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  UpdateTableInput keep{.table_name = "T"};
  keep.table_class = TableClass::kStandardInfrequentAccess;
  RegionDatabases::Await("the index is built everywhere", [&] {
    for (const std::string& region : kRegionNames) {
      const auto described = regions_.Describe(region, "T");
      if (described.status != TableStatus::kActive || described.global_indexes.size() != 1) {
        return false;
      }
    }
    return true;
  });
  Must(regions_[kEu].UpdateTable(keep));
  for (const std::string& region : kRegionNames) {
    EXPECT_EQ(Must(regions_[region].DescribeTimeToLive("T")).attribute_name, "ttl") << region;
    EXPECT_EQ(regions_.Describe(region, "T").table_class, keep.table_class) << region;
  }
  UpdateTableInput remove{.table_name = "T"};
  remove.global_index_updates.emplace();
  remove.global_index_updates->push_back({.remove = "g"});
  Must(regions_[kEu].UpdateTable(remove));
  UpdateTableInput provisioned{.table_name = "T", .billing_mode = BillingMode::kProvisioned};
  provisioned.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_EQ(ErrorOfUpdate(kEu, provisioned),
            "Table write capacity should either be Pay-Per-Request or AutoScaled.");
  for (const std::string& region : kRegionNames) {
    EXPECT_TRUE(regions_.Describe(region, "T").global_indexes.empty()) << region;
  }
}

TEST_F(GlobalTable, AnExpiredItemIsDeletedByTheRegionThatWroteIt) {
  auto input = WithStream(MakeTable("T", Keys({"pk"})));
  CreateEverywhere(input);
  Must(regions_[kEu].UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  for (const std::string& region : kRegionNames) {
    DrainBackground(regions_[region]);
  }
  Put(regions_[kEast], "T", {{"pk", "a"}, {"ttl", clock_.NowMs() / 1000 + 1}});
  regions_.AwaitSent();
  clock_.Advance(10'000);
  const auto sweep = [&](const std::string& region) {
    regions_.Engine(region).background().SweepNow();
    regions_.AwaitSent();
  };
  sweep(kEu);
  sweep(kWest);
  EXPECT_NE(At(kEu, "a"), "none");
  sweep(kEast);
  for (const std::string& region : kRegionNames) {
    EXPECT_EQ(At(region, "a"), "none") << region;
    StreamReader reader(regions_[region], StreamArnOf(regions_[region], "T"));
    const auto records = reader.Read();
    ASSERT_FALSE(records.empty());
    EXPECT_EQ(records.back().event, StreamEvent::kRemove);
    // As on AWS, the service shows itself only where the item expired.
    EXPECT_EQ(records.back().by_time_to_live, region == kEast) << region;
  }
}

TEST_F(GlobalTable, TheStreamOfAReplicaHasReplicatedWrites) {
  CreateEverywhere(WithStream(MakeTable("T", Keys({"pk"}))));
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 1}});
  regions_.AwaitSent();
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 2}});
  regions_.AwaitSent();
  StreamReader reader(regions_[kWest], StreamArnOf(regions_[kWest], "T"));
  const auto records = reader.Read();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].event, StreamEvent::kInsert);
  EXPECT_EQ(records[1].event, StreamEvent::kModify);
  EXPECT_EQ(Text(records[1].old_image->Decode()), R"({pk: "a", v: 1})");
  EXPECT_EQ(Text(records[1].new_image->Decode()), R"({pk: "a", v: 2})");
}

TEST_F(GlobalTable, ReplicasAreDeletedBeforeTheirSource) {
  Create();
  Must(regions_.AddReplica(kEu, "T", kEast));
  regions_.AwaitActive("T", 2);
  const auto refused = regions_[kEu].DeleteTable("T");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has acted as a source region"));
  Must(regions_[kEast].UpdateTable({.table_name = "T", .deletion_protection = true}));
  EXPECT_THAT(ErrorOf(regions_.DeleteReplica(kEu, "T", kEast)),
              HasSubstr("Cannot delete table T in region us-east-1"));
  Must(regions_[kEast].UpdateTable({.table_name = "T", .deletion_protection = false}));
  Put(regions_[kEast], "T", {{"pk", "last"}, {"v", 1}});
  Must(regions_.DeleteReplica(kEu, "T", kEast));
  AwaitGone(kEast);
  AwaitReplicas(kEu, 0);
  EXPECT_FALSE(regions_.Describe(kEu, "T").replicas);
  EXPECT_TRUE(regions_.Describe(kEu, "T").stream);
  EXPECT_EQ(At(kEu, "last"), R"({pk: "last", v: 1})");
  Must(regions_[kEu].DeleteTable("T"));
}

TEST_F(GlobalTable, ADeletedReplicaCanComeBack) {
  CreateEverywhere();
  Put(regions_[kEu], "T", {{"pk", "a"}, {"v", 1}});
  Put(regions_[kEu], "T", {{"pk", "gone"}, {"v", 1}});
  regions_.AwaitSent();
  // By itself, in its own region.
  Must(regions_[kWest].DeleteTable("T"));
  AwaitGone(kWest);
  AwaitReplicas(kEu, 1);
  AwaitReplicas(kEast, 1);
  Must(regions_[kEu].DeleteItem({.table_name = "T", .key = {{"pk", "gone"}}}));
  Must(regions_.AddReplica(kEast, "T", kWest));
  regions_.AwaitActive("T");
  regions_.AwaitSent();
  EXPECT_EQ(At(kWest, "a"), R"({pk: "a", v: 1})");
  EXPECT_EQ(At(kWest, "gone"), "none");
}

TEST_F(GlobalTable, ItemsOfLocalIndexesAndDeletionsOfThemAreReplicated) {
  CreateEverywhere(MakeTable("T", Keys({"pk"}, {"sk"}), {}, {MakeIndex("l", Keys({"pk"}, {"a"}))}));
  Put(regions_[kEu], "T", {{"pk", "p"}, {"sk", "1"}, {"a", "x"}});
  Put(regions_[kEu], "T", {{"pk", "p"}, {"sk", "2"}, {"a", "y"}});
  Must(regions_[kEu].DeleteItem({.table_name = "T", .key = {{"pk", "p"}, {"sk", "1"}}}));
  regions_.AwaitSent();
  const auto page =
      Must(regions_[kWest].Query({.table_name = "T",
                                  .index_name = "l",
                                  .key_condition_expression = "pk = :p",
                                  .expression_attribute_values = AttributeValues{{":p", "p"}}}));
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(Text(page.items[0].Decode()), R"({a: "y", pk: "p", sk: "2"})");
}

}  // namespace
}  // namespace prejoin
