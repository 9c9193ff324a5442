// Nothing that a stop, a clock or a failure does makes the database say what is not so.
#include <future>
#include <thread>

#include "engine/engine_of.h"
#include "engine/index/index_build.h"
#include "engine/ops/operations.h"
#include "engine/stream/stream_catalog.h"
#include "engine/stream/stream_record.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "engine/table/table_stats.h"
#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

class Truth : public testing::Test {
 protected:
  Truth() { Open(); }

  void Open() {
    db_.reset();
    auto proxy = std::make_unique<StoreProxy>(*store_);
    proxy_ = proxy.get();
    db_ = OpenOn(std::move(proxy), clock_);
  }
  // A crash is a stop that can write nothing more.
  void Crash() {
    proxy_->broken = true;
    db_.reset();
  }
  void Drain() { engine::EngineOf(*db_).background().DrainForTesting(); }
  void DrainCounts() { engine::EngineOf(*db_).counting().DrainForTesting(); }
  void PutStored(const std::string& key, const std::string& value) {
    Must(store_->Transact({}, [&](storage::Transaction& transaction) -> Status {
      transaction.Put(key, value);
      return {};
    }));
  }

  FakeClock clock_;
  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  std::unique_ptr<Database> db_;
  StoreProxy* proxy_ = nullptr;  // Owned by db_.
};

// ---- Item counts

// After a crash the items are counted again. A close before that must not save what was not counted.
TEST_F(Truth, ACountThatWasStoppedIsMadeAtTheNextStart) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 5; ++i) {
    Put(*db_, "T", {{"pk", std::to_string(i)}});
  }
  Crash();
  {
    // The count is held up at its second item until the database closes, and ends with the next one.
    auto proxy = std::make_unique<StoreProxy>(*store_);
    std::promise<void> started;
    std::promise<void> go_on;
    std::atomic<int> counted = 0;
    std::atomic<bool> armed = false;
    proxy->after_counted = [&] {
      if (armed && ++counted == 2) {
        started.set_value();
        go_on.get_future().wait();
      }
    };
    auto db = OpenOn(std::move(proxy), clock_);
    Worker& counting = engine::EngineOf(*db).counting();
    counting.DrainForTesting();
    engine::EngineOf(*db).catalog().FindOrNull("T")->stats->item_count = 0;
    engine::EngineOf(*db).catalog().FindOrNull("T")->stats->settled = false;
    armed = true;
    engine::Recount(engine::EngineOf(*db), "T");
    started.get_future().wait();
    std::thread closer([&] { db.reset(); });
    while (!counting.stopping()) {
      std::this_thread::yield();
    }
    go_on.set_value();
    closer.join();
    EXPECT_EQ(counted, 3);
  }
  Open();
  DrainCounts();
  EXPECT_EQ(Must(db_->DescribeTable("T")).item_count, 5);
}

// A count may take hours. Expired items, trims, builds and drops do not wait for it, and until it is done the
// figures go on from the last checkpoint.
TEST_F(Truth, NothingWaitsForACount) {
  const TestDirectory directory;
  const auto disk = Must(storage::OpenRocksStore(
      {.path = directory.path(), .sync = storage::SyncMode::kNone, .block_cache_bytes = 1 << 20}));
  {
    auto proxy = std::make_unique<StoreProxy>(*disk);
    StoreProxy& store = *proxy;
    auto db = OpenOn(std::move(proxy), clock_);
    Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
    for (int i = 0; i < 5; ++i) {
      Put(*db, "T", {{"pk", std::to_string(i)}});
    }
    engine::EngineOf(*db).background().SweepNow();  // Writes the checkpoint.
    Put(*db, "T", {{"pk", "after the checkpoint"}});
    store.broken = true;  // A crash.
  }
  auto proxy = std::make_unique<StoreProxy>(*disk);
  std::promise<std::thread::id> counting_thread;
  std::promise<void> go_on;
  std::atomic<bool> is_first = true;
  proxy->after_counted = [&] {
    if (is_first.exchange(false)) {
      counting_thread.set_value(std::this_thread::get_id());
      go_on.get_future().wait();
    }
  };
  auto db = OpenOn(std::move(proxy), clock_);
  const std::thread::id counts = counting_thread.get_future().get();
  // While the count is held up.
  std::promise<std::thread::id> working_thread;
  engine::EngineOf(*db).background().Add(
      [&] { working_thread.set_value(std::this_thread::get_id()); });
  EXPECT_NE(working_thread.get_future().get(), counts);
  EXPECT_EQ(Must(db->DescribeTable("T")).item_count, 5) << "of the checkpoint";
  Put(*db, "T", {{"pk", "while it counts"}});
  EXPECT_EQ(Must(db->DescribeTable("T")).item_count, 6);
  go_on.set_value();
  engine::EngineOf(*db).counting().DrainForTesting();
  EXPECT_EQ(Must(db->DescribeTable("T")).item_count, 7);
}

// Writers go on while items are counted, in memory and on disk: nothing is counted twice or missed.
TEST_F(Truth, ACountMeetsWritersExactly) {
  const TestDirectory directory;
  for (const bool on_disk : {false, true}) {
    auto db = OpenOn(on_disk ? Must(storage::OpenRocksStore({.path = directory.path(),
                                                             .sync = storage::SyncMode::kNone,
                                                             .block_cache_bytes = 1 << 20}))
                             : storage::NewMemoryStore(),
                     clock_);
    Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
    for (int i = 0; i < 2000; ++i) {
      Put(*db, "T", {{"pk", std::to_string(i)}});
    }
    const engine::TablePtr table = engine::EngineOf(*db).catalog().FindOrNull("T");
    std::atomic<int> written = 2000;
    for (int round = 0; round < 5; ++round) {
      // As far off as figures can be.
      table->stats->item_count = -1000 * round;
      table->stats->settled = false;
      std::atomic<bool> stop = false;
      std::vector<std::thread> writers;
      for (int writer = 0; writer < 2; ++writer) {
        writers.emplace_back([&, writer] {
          for (int i = 0; !stop; ++i) {
            Put(*db, "T", {{"pk", std::to_string(round * 2 + writer) + "-" + std::to_string(i)}});
            ++written;
          }
        });
      }
      AwaitMore(written, 20);
      Must(engine::CountSpace(engine::EngineOf(*db).store(), engine::EngineOf(*db).counting(),
                              table->space, *table->stats));
      AwaitMore(written, 20);
      stop = true;
      for (std::thread& writer : writers) {
        writer.join();
      }
      EXPECT_EQ(table->stats->item_count, written) << round;
    }
  }
}

// ---- Streams

TEST_F(Truth, AnIteratorSurvivesAClockThatGoesBack) {
  for (const bool clean_end : {true, false}) {
    const std::string table = clean_end ? "T" : "U";
    Must(db_->CreateTable(WithStream(MakeTable(table, Keys({"pk"})))));
    const std::string arn = StreamArnOf(*db_, table);
    Put(*db_, table, {{"pk", "before"}});
    StreamReader reader(*db_, arn);
    EXPECT_EQ(reader.Read().size(), 1u);
    clock_.Advance(60'000);
    EXPECT_EQ(reader.Read().size(), 0u);  // Its iterators are a minute further.
    if (!clean_end) {
      Crash();
    }
    clock_.Advance(-60'000);
    Open();
    reader.Use(*db_);
    Put(*db_, table, {{"pk", "after"}});
    EXPECT_EQ(reader.Read().size(), 1u) << (clean_end ? "closed" : "crashed");
  }
}

TEST_F(Truth, ADamagedStreamRecordIsAnError) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  Put(*db_, "T", {{"pk", "a"}});
  const std::string arn = StreamArnOf(*db_, "T");
  const std::uint32_t space = engine::EngineOf(*db_).streams().Find(arn)->info().space;
  std::string key;
  std::string value;
  for (const auto& shard : ShardsOf(*db_, arn)) {
    const auto start = engine::ParseShardId(shard.shard_id);
    Must(store_->Visit(engine::RecordRange(space, *start, 0, engine::kSequenceNumberMax),
                       [&](std::string_view stored_key, std::string_view stored) {
                         key = stored_key;
                         value = stored;
                         return storage::Visit::kStop;
                       }));
  }
  ASSERT_FALSE(key.empty());
  const auto read = [&] {
    ErrorCode code = ErrorCode::kInternal;
    for (const auto& shard : ShardsOf(*db_, arn)) {
      const std::string iterator =
          Must(db_->GetShardIterator({.stream_arn = arn,
                                      .shard_id = shard.shard_id,
                                      .type = ShardIteratorType::kTrimHorizon}));
      if (const auto page = db_->GetRecords({.shard_iterator = iterator}); !page) {
        code = page.error().code;
      }
    }
    return code;
  };
  clock_.Advance(10);
  EXPECT_EQ(read(), ErrorCode::kInternal);  // No error.
  for (std::size_t size = 0; size < value.size(); ++size) {
    PutStored(key, value.substr(0, size));
    EXPECT_EQ(read(), ErrorCode::kCorruption) << size;
  }
  PutStored(key, value + "x");
  EXPECT_EQ(read(), ErrorCode::kCorruption);
}

TEST_F(Truth, ListStreamsWaitsForDurability) {
  const TestDirectory directory;
  auto db = OpenOn(Must(storage::OpenRocksStore({.path = directory.path(),
                                                 .sync = storage::SyncMode::kNone,
                                                 .block_cache_bytes = 1 << 20})),
                   clock_);
  Must(db->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  engine::RequestContext context;
  Must(engine::ListStreams(engine::EngineOf(*db), context, {}));
  EXPECT_GT(context.ticket, 0u);
}

// ---- Spaces

TEST_F(Truth, ASpaceThatNobodyKnowsIsNeverDeleted) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  Must(db_->CreateTable(MakeTable("U", Keys({"pk"}))));
  Put(*db_, "U", {{"pk", "a"}});
  // As if a newer program had given this space to something of its own.
  const std::uint32_t unknown = engine::EngineOf(*db_).catalog().FindOrNull("U")->space - 1;
  ASSERT_EQ(unknown, engine::EngineOf(*db_).catalog().FindOrNull("T")->space);
  const std::string row = engine::SpaceKey(unknown, "\x01\x02\x03\x04 something");
  Must(db_->DeleteTable("T"));
  Drain();
  PutStored(row, "of another program");
  const std::string dropped = engine::DroppedKey(unknown);
  EXPECT_FALSE(Must(store_->Get(dropped)).has_value());
  Open();
  Drain();
  EXPECT_TRUE(Must(store_->Get(row)).has_value());
  EXPECT_EQ(Must(db_->Scan({.table_name = "U"})).count, 1);
}

// ---- Work in the background that fails

TEST_F(Truth, ARestoreThatFailedGoesOnWithoutARestart) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 100; ++i) {
    Put(*db_, "T", {{"pk", std::to_string(i)}});
  }
  const std::string arn = Must(db_->CreateBackup({.table_name = "T", .backup_name = "b"})).arn;
  Drain();
  std::atomic<int> writes = 0;
  proxy_->before_transact = [&](auto) {
    if (++writes == 2) {
      proxy_->broken = true;
    }
  };
  Must(db_->RestoreTableFromBackup({.target_table_name = "R", .backup_arn = arn}));
  Drain();
  EXPECT_EQ(Must(db_->DescribeTable("R")).status, TableStatus::kCreating);
  proxy_->before_transact = nullptr;
  proxy_->broken = false;
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(Must(db_->DescribeTable("R")).status, TableStatus::kActive);
  EXPECT_EQ(Must(db_->Scan({.table_name = "R"})).count, 100);
}

TEST_F(Truth, AnIndexBuildThatFailedGoesOnWithoutARestart) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 200; ++i) {
    Put(*db_, "T", {{"pk", std::to_string(i)}, {"a", "x"}});
  }
  std::atomic<int> writes = 0;
  proxy_->before_transact = [&](auto) {
    if (++writes == 2) {
      proxy_->broken = true;
    }
  };
  UpdateTableInput update{.table_name = "T"};
  update.attribute_definitions = DefinitionsFor({Keys({"a"})});
  update.global_index_updates =
      std::vector<GlobalIndexUpdate>{{.create = MakeIndex("g", Keys({"a"}))}};
  Must(db_->UpdateTable(update));
  Drain();
  EXPECT_EQ(Must(db_->DescribeTable("T")).global_indexes[0].status, IndexStatus::kCreating);
  proxy_->before_transact = nullptr;
  proxy_->broken = false;
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(Must(db_->DescribeTable("T")).global_indexes[0].status, IndexStatus::kActive);
  EXPECT_EQ(Must(db_->Scan({.table_name = "T", .index_name = "g"})).count, 200);
}

TEST_F(Truth, AFailureInOneTableLeavesTheSweepOfOthers) {
  for (const char* table : {"A", "B"}) {
    Must(db_->CreateTable(MakeTable(table, Keys({"pk"}))));
    Must(db_->UpdateTimeToLive(
        {.table_name = table, .specification = {.enabled = true, .attribute_name = "ttl"}}));
    Drain();
    Put(*db_, table, {{"pk", "x"}, {"ttl", 1'699'999'000}});
  }
  const std::string space =
      engine::SpaceKey(engine::EngineOf(*db_).catalog().FindOrNull("A")->space, "");
  proxy_->refuses = [space](std::span<const std::string> keys) {
    return !keys.empty() && keys[0].starts_with(space);
  };
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_TRUE(Get(*db_, "A", {{"pk", "x"}}).has_value());
  EXPECT_FALSE(Get(*db_, "B", {{"pk", "x"}}).has_value());
}

// An index that is gone, and another one with its name: the build of the first must leave the
// second alone, whose writers may not know it yet.
TEST_F(Truth, ABuildLeavesAnotherIndexOfTheSameNameAlone) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  engine::Index gone = engine::EngineOf(*db_).catalog().FindOrNull("T")->indexes[0];
  gone.space = 12345;
  Must(engine::EngineOf(*db_).catalog().Change(
      "T", [](const engine::Table* current, engine::SpaceAllocator&) {
        auto next = engine::CopyOf(*current);
        next->indexes[0].accepts_entries = false;
        next->indexes[0].description.status = IndexStatus::kCreating;
        return Result<std::unique_ptr<engine::Table>>(std::move(next));
      }));
  engine::BuildIndex(engine::EngineOf(*db_), "T", gone, {});
  Drain();
  const engine::TablePtr table = engine::EngineOf(*db_).catalog().FindOrNull("T");
  EXPECT_FALSE(table->indexes[0].accepts_entries);
  EXPECT_EQ(table->indexes[0].description.status, IndexStatus::kCreating);
}

// ---- Who waits for whom

// A Scan changes nothing that a history must know: what waits for writers does not wait for it.
TEST_F(Truth, ABackupDoesNotWaitForReaders) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  Must(db_->CreateTable(MakeTable("U", Keys({"pk"}))));
  Put(*db_, "T", {{"pk", "a"}});
  Put(*db_, "U", {{"pk", "a"}});
  std::atomic<std::thread::id> reader_id;
  std::promise<void> arrived;
  std::promise<void> go_on;
  Drain();
  proxy_->before_visit = [&, once = true]() mutable {
    if (std::this_thread::get_id() == reader_id && std::exchange(once, false)) {
      arrived.set_value();
      go_on.get_future().wait();
    }
  };
  std::thread reader([&] {
    reader_id = std::this_thread::get_id();
    EXPECT_EQ(Must(db_->Scan({.table_name = "T"})).count, 1);
  });
  arrived.get_future().wait();
  EXPECT_TRUE(db_->CreateBackup({.table_name = "T", .backup_name = "backup"}).has_value());
  EXPECT_TRUE(
      db_->UpdateContinuousBackups({.table_name = "T", .point_in_time_recovery_enabled = true})
          .has_value());
  go_on.set_value();
  reader.join();
}

// ---- A query that follows index entries to their items

class FollowedEntries : public Truth {
 protected:
  void SetUp() override {
    Must(db_->CreateTable(
        MakeTable("T", Keys({"pk"}, {"sk"}), {},
                  {MakeIndex("l", Keys({"pk"}, {"a"}), {ProjectionType::kKeysOnly})})));
  }
  QueryInput AllAttributes() const {
    QueryInput input;
    input.table_name = "T";
    input.index_name = "l";
    input.select = Select::kAllAttributes;
    input.key_condition_expression = "pk = :p";
    input.expression_attribute_values = AttributeValues{{":p", "p"}};
    return input;
  }
};

TEST_F(FollowedEntries, ItemsCountTowardsThePage) {
  for (int i = 0; i < 10; ++i) {
    Put(*db_, "T",
        {{"pk", "p"}, {"sk", std::to_string(i)}, {"a", "a"}, {"x", std::string(300'000, 'x')}});
  }
  QueryInput input = AllAttributes();
  std::vector<std::int64_t> counts;
  do {
    const auto page = Must(db_->Query(input));
    counts.push_back(page.count);
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{4, 4, 2}));
}

TEST_F(FollowedEntries, EntryAndItemAreOfOneMoment) {
  Put(*db_, "T", {{"pk", "p"}, {"sk", "s"}, {"a", "old"}, {"x", 1}});
  // Between the look at the entry and the look at the item, the item moves in the index.
  proxy_->before_get_together = [&] {
    proxy_->before_get_together = nullptr;
    Put(*db_, "T", {{"pk", "p"}, {"sk", "s"}, {"a", "new"}, {"x", 2}});
  };
  QueryInput input = AllAttributes();
  input.key_condition_expression = "pk = :p AND a = :a";
  input.expression_attribute_values = AttributeValues{{":p", "p"}, {":a", "old"}};
  const auto page = Must(db_->Query(input));
  for (const StoredItem& item : page.items) {
    EXPECT_EQ(Text(*item.Decode().Find("a")), "\"old\"");
  }
  EXPECT_EQ(page.count, 0);
}

}  // namespace
}  // namespace prejoin
