// Random histories of a global table over three regions, against a map. Replication is paused, databases crash in the middle
// of it, and replicas join while items are written. Afterwards every region has the same items, each as its last writer left
// it, and each region's stream tells the way there. PREJOIN_TEST_SEED=<seed> repeats a history.
#include <algorithm>
#include <random>

#include "engine/verify/verify.h"
#include "tests/engine/item_text.h"
#include "tests/engine/stream_reader.h"
#include "tests/replication/region_databases.h"
#include "tests/rig/seed.h"

namespace prejoin {
namespace {

constexpr int kHistories = 60;
constexpr int kSteps = 200;
constexpr int kKeys = 12;

using Items = std::map<std::string, std::string>;  // Key to the item's text.

class RegionsHistory {
 public:
  explicit RegionsHistory(std::uint32_t seed)
      : random_(seed), regions_(clock_, Draw(2) == 0 ? IndexLag() : IndexLag{5, 40}) {
    Must(regions_[kRegionNames[0]].CreateTable(
        WithStream(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))}))));
  }

  void Run() {
    const int second_joins = 1 + Draw(40);
    const int third_joins = second_joins + 1 + Draw(60);
    for (int step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
      if (step == second_joins || step == third_joins) {
        Join();
      }
      Step();
    }
    Heal();
    Compare();
  }

  int writes() const { return writes_; }
  int crashes() const { return crashes_; }
  int overwritten() const { return overwritten_; }

 private:
  int Draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string AnyRegion() {
    return kRegionNames[static_cast<std::size_t>(Draw(static_cast<int>(members_)))];
  }

  void Join() {
    regions_.group().Pause({});
    if (members_ > 1) {
      AwaitWithTime("the replicas are settled",
                    [&] { return IsActive(members_); });  // One change at a time.
    }
    Must(regions_.AddReplica(AnyRegion(), "T", kRegionNames[members_]));
    // Writes of the others go on meanwhile; the new one takes none before it is ACTIVE.
    for (int i = 0; i < 10; ++i) {
      Step();
    }
    regions_.group().Pause({});
    AwaitWithTime("the new replica is ACTIVE", [&] { return IsActive(members_ + 1); });
    ++members_;
  }

  bool IsActive(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto described = regions_[kRegionNames[i]].DescribeTable("T");
      if (!described || described->status != TableStatus::kActive || !described->replicas ||
          described->replicas->size() != count - 1 ||
          std::ranges::any_of(*described->replicas, [](const ReplicaDescription& replica) {
            return replica.status != ReplicaStatus::kActive;
          })) {
        return false;
      }
    }
    return true;
  }

  // Notes become due by the clock of the tables.
  void AwaitWithTime(const char* what, const std::function<bool()>& is_so) {
    RegionDatabases::Await(what, [&] {
      clock_.Advance(1);
      return is_so();
    });
  }

  void Step() {
    clock_.Advance(1 + Draw(5));  // So that every write has a time of its own.
    const int kind = Draw(100);
    if (kind < 4) {
      std::set<std::string> paused;
      for (const std::string& region : kRegionNames) {
        if (Draw(3) == 0) {
          paused.insert(region);
        }
      }
      regions_.group().Pause(paused);
    } else if (kind < 6) {
      Crash();
    } else {
      Write();
    }
  }

  void Crash() {
    ++crashes_;
    std::vector<std::string> order = kRegionNames;
    std::ranges::shuffle(order, random_);
    // One stops in the middle of something, all others wherever they are.
    regions_.proxy(order[0]).transactions_left = Draw(3);
    for (int i = Draw(50); i > 0; --i) {
      std::this_thread::yield();
    }
    regions_.Break(order);
    regions_.Reopen();
  }

  void Write() {
    const std::string region = AnyRegion();
    const std::string key = "k" + std::to_string(Draw(kKeys));
    const std::string value = "v" + std::to_string(++writes_) + " of " + region;
    Database& database = regions_[region];
    const Item item = {{"pk", key}, {"v", value}, {"a", "a" + std::to_string(Draw(3))}};
    switch (Draw(6)) {
      case 0: {
        const auto deleted = Must(database.DeleteItem(
            {.table_name = "T", .key = {{"pk", key}}, .return_values = ReturnValues::kAllOld}));
        if (deleted.attributes) {
          Wrote(key, std::nullopt);
        }
        return;
      }
      case 1: {
        const auto updated = Must(database.UpdateItem(
            {.table_name = "T",
             .key = {{"pk", key}},
             .update_expression = "SET v = :v ADD n :one",
             .expression_attribute_values = AttributeValues{{":v", value}, {":one", 1}},
             .return_values = ReturnValues::kAllNew}));
        Wrote(key, updated.attributes->Decode());
        return;
      }
      case 2: {
        const auto put = database.PutItem(
            {.table_name = "T", .item = item, .condition_expression = "attribute_not_exists(pk)"});
        if (put) {
          Wrote(key, item);
        }
        return;
      }
      case 3: {
        const std::string other = "k" + std::to_string(kKeys + Draw(3));
        const Item second = {{"pk", other}, {"v", value}};
        TransactWriteItemsInput input;
        input.items.push_back({.table_name = "T", .item_or_key = item});
        input.items.push_back({.table_name = "T", .item_or_key = second});
        Must(database.TransactWriteItems(input));
        Wrote(key, item);
        Wrote(other, second);
        return;
      }
      default:
        Put(database, "T", item);
        Wrote(key, item);
        return;
    }
  }

  void Wrote(const std::string& key, const std::optional<Item>& item) {
    overwritten_ += expected_.contains(key) ? 1 : 0;
    if (item) {
      expected_[key] = Text(*item);
    } else {
      expected_.erase(key);
    }
  }

  void Heal() {
    regions_.group().Pause({});
    AwaitWithTime("every replica is ACTIVE", [&] { return IsActive(members_); });
    AwaitWithTime("all writes are sent", [&] { return regions_.group().waiting() == 0; });
  }

  void Compare() {
    for (const std::string& region : kRegionNames) {
      Items items;
      for (const StoredItem& item : Must(regions_[region].Scan({.table_name = "T"})).items) {
        const Item decoded = item.Decode();
        items[*decoded.Find("pk")->string()] = Text(decoded);
      }
      EXPECT_EQ(items, expected_) << region;
      EXPECT_EQ(Replayed(region), expected_) << "the stream of " << region;
      std::size_t indexed = 0;
      for (const std::string a : {"a0", "a1", "a2"}) {
        indexed += Must(regions_[region].Query(
                            {.table_name = "T",
                             .index_name = "g",
                             .key_condition_expression = "a = :a",
                             .expression_attribute_values = AttributeValues{{":a", a}}}))
                       .items.size();
      }
      EXPECT_EQ(indexed,
                static_cast<std::size_t>(std::ranges::count_if(
                    expected_,
                    [](const auto& one) { return one.second.find("a: ") != std::string::npos; })))
          << "the index of " << region;
      engine::VerifyReport report;
      engine::VerifyStore(
          regions_.proxy(region), [](std::uint64_t) {}, report);
      for (const auto& finding : report.findings) {
        ADD_FAILURE() << region << ", " << finding.where << ": " << finding.what;
      }
      EXPECT_GT(report.counts["stamps of items"], 0u);
    }
  }

  // Where the records of the region's stream lead.
  Items Replayed(const std::string& region) {
    Items items;
    StreamReader reader(regions_[region], StreamArnOf(regions_[region], "T"));
    for (const StreamRecord& record : reader.Read()) {
      const std::string key = *record.keys.Decode().Find("pk")->string();
      if (record.new_image) {
        items[key] = Text(record.new_image->Decode());
      } else {
        items.erase(key);
      }
    }
    return items;
  }

  std::mt19937 random_;
  FakeClock clock_;
  RegionDatabases regions_;
  std::size_t members_ = 1;
  int writes_ = 0;
  int crashes_ = 0;
  int overwritten_ = 0;
  Items expected_;
};

TEST(GlobalTableHistories, AllRegionsAgreeWithTheLastWriters) {
  const std::uint32_t first = TestSeed();
  int writes = 0;
  int crashes = 0;
  int overwritten = 0;
  for (int i = 0; i < kHistories && !HasFailure(); ++i) {
    SCOPED_TRACE(SeedMessage(first + static_cast<std::uint32_t>(i)));
    RegionsHistory history(first + static_cast<std::uint32_t>(i));
    history.Run();
    writes += history.writes();
    crashes += history.crashes();
    overwritten += history.overwritten();
  }
  EXPECT_GT(writes, kHistories * kSteps / 2);
  EXPECT_GT(crashes, kHistories);
  EXPECT_GT(overwritten, kHistories * kSteps / 4);
}

}  // namespace
}  // namespace prejoin
