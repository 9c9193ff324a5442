// Items that expire.
#include <set>

#include "engine/engine_of.h"
#include "engine/item/keys.h"
#include "engine/table/catalog.h"
#include "engine/ttl/expiry.h"
#include "tests/engine/slow_writer.h"
#include "tests/engine/stream_reader.h"
#include "value/encoding.h"

namespace prejoin {
namespace {

constexpr std::int64_t kNow = 1'700'000'000;  // The clock's first second.
constexpr std::int64_t kFiveYears = std::int64_t{5} * 365 * 24 * 60 * 60;

class TimeToLive : public testing::Test {
 protected:
  TimeToLive() : db_(OpenOn(storage::NewMemoryStore(), clock_)) {
    Must(db_->CreateTable(
        WithStream(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))}, {}))));
  }

  Result<TimeToLiveSpecification> Update(bool enabled, const std::string& name = "ttl") {
    return db_->UpdateTimeToLive(
        {.table_name = "T", .specification = {.enabled = enabled, .attribute_name = name}});
  }
  void Enable() {
    Must(Update(true));
    engine::EngineOf(*db_).background().DrainForTesting();
  }
  void PutExpiring(const std::string& key, AttributeValue second) {
    Put(*db_, "T", {{"pk", key}, {"a", "x"}, {"ttl", std::move(second)}});
  }
  void Sweep() { engine::EngineOf(*db_).background().SweepNow(); }
  bool Has(const std::string& key) { return Get(*db_, "T", {{"pk", key}}).has_value(); }
  std::string ErrorOf(const Result<TimeToLiveSpecification>& result) {
    return result ? "none" : result.error().message;
  }

  FakeClock clock_;
  std::unique_ptr<Database> db_;
};

TEST_F(TimeToLive, ExpiredItemsGoAndOthersStay) {
  Enable();
  PutExpiring("past", kNow - 60);
  PutExpiring("this second", kNow);
  PutExpiring("soon", kNow + 10);
  PutExpiring("fraction", Must(Number::Parse("1699999999.9")));
  PutExpiring("text", "1699999999");
  PutExpiring("negative", -5);
  PutExpiring("zero", 0);
  PutExpiring("milliseconds", kNow * 1000);
  PutExpiring("beyond", Must(Number::Parse("1e30")));
  PutExpiring("five years", kNow - kFiveYears + 1);
  PutExpiring("older", kNow - kFiveYears - 1);
  Put(*db_, "T", {{"pk", "without"}});
  // Nothing is hidden before it is deleted.
  EXPECT_TRUE(Has("past"));
  Sweep();
  for (const char* key : {"past", "fraction", "five years"}) {
    EXPECT_FALSE(Has(key)) << key;
  }
  for (const char* key : {"this second", "soon", "text", "negative", "zero", "milliseconds",
                          "beyond", "older", "without"}) {
    EXPECT_TRUE(Has(key)) << key;
  }
  clock_.Advance(1);
  Sweep();
  EXPECT_FALSE(Has("this second"));
  EXPECT_TRUE(Has("soon"));
  clock_.Advance(11'000);
  Sweep();
  EXPECT_FALSE(Has("soon"));
}

TEST_F(TimeToLive, AnItemWhoseTimeChangedExpiresThen) {
  Enable();
  PutExpiring("a", kNow - 1);
  PutExpiring("b", kNow - 1);
  PutExpiring("c", kNow - 1);
  PutExpiring("a", kNow + 100);
  Must(db_->UpdateItem({.table_name = "T",
                        .key = {{"pk", "b"}},
                        .update_expression = "REMOVE #t",
                        .expression_attribute_names = AttributeNames{{"#t", "ttl"}}}));
  Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", "c"}}}));
  Sweep();
  EXPECT_TRUE(Has("a"));
  EXPECT_TRUE(Has("b"));
  clock_.Advance(101'000);
  Sweep();
  EXPECT_FALSE(Has("a"));
  EXPECT_TRUE(Has("b"));
}

TEST_F(TimeToLive, DeletesLeaveIndexesFiguresAndStreamsRight) {
  Enable();
  for (int i = 0; i < 200; ++i) {
    PutExpiring("p" + std::to_string(i), i % 2 == 0 ? kNow - 1 : kNow + 1000);
  }
  Sweep();
  const auto described = Must(db_->DescribeTable("T"));
  EXPECT_EQ(described.item_count, 100);
  EXPECT_EQ(described.global_indexes[0].item_count, 100);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "g"})).count, 100);
  StreamReader reader(*db_, StreamArnOf(*db_, "T"));
  const auto records = reader.Read();
  ASSERT_EQ(records.size(), 300u);
  EXPECT_EQ(Replay(records), Contents(*db_, "T", {"pk"}));
  int by_service = 0;
  for (const StreamRecord& record : records) {
    EXPECT_EQ(record.by_time_to_live, record.event == StreamEvent::kRemove);
    by_service += record.by_time_to_live ? 1 : 0;
  }
  EXPECT_EQ(by_service, 100);
  // A request's delete is nobody's but the caller's.
  Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", "p1"}}}));
  const auto more = reader.Read();
  ASSERT_EQ(more.size(), 1u);
  EXPECT_FALSE(more[0].by_time_to_live);
}

TEST_F(TimeToLive, EnablingFindsOlderItems) {
  for (int i = 0; i < 300; ++i) {
    PutExpiring("p" + std::to_string(i), kNow - 1 - i);
  }
  Sweep();
  EXPECT_EQ(Must(db_->DescribeTable("T")).item_count, 300);
  Enable();
  EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).status, TimeToLiveStatus::kEnabled);
  Sweep();
  EXPECT_EQ(Must(db_->DescribeTable("T")).item_count, 0);
}

TEST_F(TimeToLive, DisablingStopsIt) {
  Enable();
  PutExpiring("a", kNow + 1);
  clock_.Advance(60 * 60 * 1000);
  Must(Update(false));
  Sweep();
  EXPECT_TRUE(Has("a"));
  const auto described = Must(db_->DescribeTimeToLive("T"));
  EXPECT_EQ(described.status, TimeToLiveStatus::kDisabled);
  EXPECT_EQ(described.attribute_name, "");
}

TEST_F(TimeToLive, ChangesFollowAwsRules) {
  EXPECT_EQ(ErrorOf(Update(false)), "TimeToLive is already disabled");
  EXPECT_EQ(ErrorOf(Update(true)), "none");
  EXPECT_EQ(ErrorOf(Update(true)), "TimeToLive is already enabled");
  EXPECT_EQ(ErrorOf(Update(true, "other")),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(ErrorOf(Update(false, "other")),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  clock_.Advance(60 * 60 * 1000 - 1);
  EXPECT_EQ(ErrorOf(Update(false)),
            "Time to live has been modified multiple times within a fixed interval");
  clock_.Advance(1);
  EXPECT_EQ(ErrorOf(Update(false)), "none");
  EXPECT_EQ(ErrorOf(Update(true, "other")),
            "Time to live has been modified multiple times within a fixed interval");
  clock_.Advance(60 * 60 * 1000);
  EXPECT_EQ(ErrorOf(Update(true, "other")), "none");
  EXPECT_EQ(ErrorOf(db_->UpdateTimeToLive(
                {.table_name = "none", .specification = {.enabled = true, .attribute_name = "x"}})),
            "Requested resource not found: Table: none not found");
}

// The sweep finds an item due, and somebody gives it more time before the sweep gets to it.
TEST(TimeToLiveRace, AnItemThatIsGivenMoreTimeStays) {
  FakeClock clock;
  const auto memory = storage::NewMemoryStore();
  auto proxy = std::make_unique<StoreProxy>(*memory);
  StoreProxy& store = *proxy;
  const auto db = OpenOn(std::move(proxy), clock);
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  Must(db->UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  engine::EngineOf(*db).background().DrainForTesting();
  Put(*db, "T", {{"pk", "a"}, {"ttl", kNow - 1}});
  Put(*db, "T", {{"pk", "b"}, {"ttl", kNow - 1}});
  bool done = false;
  store.before_transact = [&](auto) {
    if (!std::exchange(done, true)) {
      Put(*db, "T", {{"pk", "a"}, {"ttl", kNow + 1000}});
    }
  };
  engine::EngineOf(*db).background().SweepNow();
  store.before_transact = nullptr;
  EXPECT_TRUE(Get(*db, "T", {{"pk", "a"}}).has_value());
  EXPECT_FALSE(Get(*db, "T", {{"pk", "b"}}).has_value());
}

class TimeToLiveEntries : public testing::Test {
 protected:
  TimeToLiveEntries() : memory_(storage::NewMemoryStore()) {
    Open();
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  }

  void Open() {
    db_.reset();
    auto proxy = std::make_unique<StoreProxy>(*memory_);
    store_ = proxy.get();
    db_ = OpenOn(std::move(proxy), clock_);
  }
  void Update(bool enabled, const std::string& name) {
    Must(db_->UpdateTimeToLive(
        {.table_name = "T", .specification = {.enabled = enabled, .attribute_name = name}}));
    clock_.Advance(60 * 60 * 1000);
  }
  void Drain() { engine::EngineOf(*db_).background().DrainForTesting(); }

  // "second stored-key" of all entries, and of all that should be there.
  std::multiset<std::string> Entries() {
    std::multiset<std::string> entries;
    const engine::TablePtr table = engine::EngineOf(*db_).catalog().FindOrNull("T");
    for (unsigned lane = 0; lane < engine::kExpiryLanes; ++lane) {
      Must(engine::EngineOf(*db_).store().Visit(
          engine::ExpiryRange(*table->expiry, lane, 0, kNow * 2),
          [&](std::string_view key, std::string_view) {
            const auto expiring = engine::DecodeExpiring(key, table->space).value();
            entries.insert(std::to_string(expiring.second) + " " + expiring.stored_key);
            return storage::Visit::kContinue;
          }));
    }
    return entries;
  }
  std::multiset<std::string> ExpectedEntries() {
    std::multiset<std::string> entries;
    const engine::TablePtr table = engine::EngineOf(*db_).catalog().FindOrNull("T");
    for (const StoredItem& item : Must(db_->Scan({.table_name = "T"})).items) {
      if (const auto second = ExpiresAt(*table->expiry, ItemView(item.body()))) {
        entries.insert(std::to_string(*second) + " " +
                       engine::StoredKey(*table, Item{{"pk", *item.Find("pk")}}));
      }
    }
    return entries;
  }

  FakeClock clock_;
  std::unique_ptr<storage::Store> memory_;
  std::unique_ptr<Database> db_;
  StoreProxy* store_ = nullptr;  // Owned by db_.
};

// A writer that does not know the setting changes an item that one who knows it has written.
TEST_F(TimeToLiveEntries, SlowWriterOfAnOlderVersionLeavesNoneStaleOrMissing) {
  SlowWriter writer(*db_, store_->before_transact, {{"pk", "a"}, {"ttl", kNow + 20}});
  Update(true, "ttl");
  Put(*db_, "T", {{"pk", "a"}, {"ttl", kNow + 10}});
  EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).status, TimeToLiveStatus::kEnabling);
  writer.Finish();
  Drain();
  EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(Entries(), ExpectedEntries());
  EXPECT_EQ(Entries().size(), 1u);
}

// The writer knows the attribute of two settings before.
TEST_F(TimeToLiveEntries, EachSettingHasItsOwn) {
  Update(true, "ttl");
  Drain();
  Put(*db_, "T", {{"pk", "b"}, {"ttl", kNow + 10}, {"other", kNow + 20}});
  SlowWriter writer(*db_, store_->before_transact,
                    {{"pk", "a"}, {"ttl", kNow + 30}, {"other", kNow + 40}});
  Update(false, "ttl");
  Update(true, "other");
  Put(*db_, "T", {{"pk", "a"}, {"ttl", kNow + 50}, {"other", kNow + 60}});
  writer.Finish();
  Drain();
  EXPECT_EQ(Entries(), ExpectedEntries());
  EXPECT_EQ(Entries().size(), 2u);
  clock_.Advance(100 * 1000);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_TRUE(Entries().empty());
  EXPECT_EQ(Must(db_->Scan({.table_name = "T"})).count, 0);
  Update(false, "other");
  Update(true, "ttl");
  Drain();
  EXPECT_TRUE(Entries().empty());
}

// After each number of transactions that got through.
TEST_F(TimeToLiveEntries, AStopWhileTheyAreMadeIsMadeUpFor) {
  constexpr std::int64_t kFarAway = kNow + 1'000'000'000;
  for (int i = 0; i < 150; ++i) {
    Put(*db_, "T", {{"pk", "p" + std::to_string(i)}, {"ttl", kFarAway + i}});
  }
  for (int done = 1; done < 8; ++done) {
    store_->transactions_left = done;
    Must(db_->UpdateTimeToLive(
        {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
    Drain();
    Open();
    Put(*db_, "T", {{"pk", "p3"}, {"ttl", kFarAway + 1000 + done}});
    Drain();
    EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).status, TimeToLiveStatus::kEnabled) << done;
    EXPECT_EQ(Entries(), ExpectedEntries()) << done;
    EXPECT_EQ(Entries().size(), 150u);
    clock_.Advance(60 * 60 * 1000);
    Update(false, "ttl");
    Drain();
  }
}

}  // namespace
}  // namespace prejoin
