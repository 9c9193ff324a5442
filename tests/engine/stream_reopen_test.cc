// Streams and time to live after a restart.
#include "engine/engine_of.h"
#include "engine/stream/stream.h"
#include "engine/table/catalog_codec.h"
#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

constexpr std::int64_t kHour = 60 * 60 * 1000;

class StreamReopen : public testing::TestWithParam<bool> {
 protected:
  StreamReopen() { Open(); }

  void Open() {
    db_.reset();
    if (!GetParam()) {
      store_ = store_ ? std::move(store_) : storage::NewMemoryStore();
    } else {
      store_.reset();
      auto opened = storage::OpenRocksStore({.path = directory_.path(),
                                             .sync = storage::SyncMode::kNone,
                                             .block_cache_bytes = 1 << 20});
      PJ_CHECK(opened.has_value());
      store_ = *std::move(opened);
    }
    auto proxy = std::make_unique<StoreProxy>(*store_);
    proxy_ = proxy.get();
    Options options;
    options.streams = {.shards = 2, .shard_seconds = 4 * 3600, .shard_records = 8};
    db_ = OpenWith(std::move(proxy), options, clock_);
    // What looks unused is deleted after a start.
    engine::EngineOf(*db_).background().DrainForTesting();
  }

  FakeClock clock_;
  TestDirectory directory_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Database> db_;
  StoreProxy* proxy_ = nullptr;  // Owned by db_.
};

TEST_P(StreamReopen, RecordsShardsAndIteratorsGoOn) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  const std::string arn = StreamArnOf(*db_, "T");
  StreamReader reader(*db_, arn);
  std::vector<StreamRecord> records;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 40; ++i) {
      Must(db_->UpdateItem({.table_name = "T",
                            .key = {{"pk", "p" + std::to_string(i % 7)}},
                            .update_expression = "ADD x :one",
                            .expression_attribute_values = AttributeValues{{":one", 1}}}));
    }
    if (round % 2 == 0) {
      for (StreamRecord& record : reader.Read()) {
        records.push_back(std::move(record));
      }
    }
    const auto before = ShardsOf(*db_, arn);
    // Some stops are crashes: nothing more can be written. The clock stands still for some.
    proxy_->broken = round % 3 == 0;
    clock_.Advance(round % 2);
    Open();
    reader.Use(*db_);
    const auto after = ShardsOf(*db_, arn);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].shard_id, after[i].shard_id);
      EXPECT_EQ(before[i].parent_shard_id, after[i].parent_shard_id);
      EXPECT_EQ(before[i].ending_sequence_number, after[i].ending_sequence_number);
    }
  }
  for (StreamRecord& record : reader.Read()) {
    records.push_back(std::move(record));
  }
  EXPECT_EQ(records.size(), 240u);
  EXPECT_EQ(Replay(records), Contents(*db_, "T", {"pk"}));
  EXPECT_GT(ShardsOf(*db_, arn).size(), 5u);
}

TEST_P(StreamReopen, DisabledStreamsAndThoseOfDeletedTablesStay) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  Must(db_->CreateTable(WithStream(MakeTable("U", Keys({"pk"})))));
  const std::string t = StreamArnOf(*db_, "T");
  const std::string u = StreamArnOf(*db_, "U");
  Put(*db_, "T", {{"pk", "a"}});
  Put(*db_, "U", {{"pk", "b"}});
  UpdateTableInput disable{.table_name = "T"};
  disable.stream = StreamSpecification{.enabled = false, .view_type = std::nullopt};
  Must(db_->UpdateTable(disable));
  Must(db_->DeleteTable("U"));
  const auto before = Must(db_->DescribeStream({.stream_arn = t}));
  clock_.Advance(23 * kHour);
  Open();
  EXPECT_EQ(ReadStream(*db_, t).size(), 1u);
  EXPECT_EQ(ReadStream(*db_, u).size(), 1u);
  const auto after = Must(db_->DescribeStream({.stream_arn = t}));
  EXPECT_FALSE(after.enabled);
  EXPECT_EQ(after.created_ms, before.created_ms);
  EXPECT_EQ(after.key_schema, before.key_schema);
  EXPECT_EQ(after.shards[0].ending_sequence_number, before.shards[0].ending_sequence_number);
  clock_.Advance(kHour + 1);
  engine::EngineOf(*db_).background().SweepNow();
  Open();
  EXPECT_TRUE(Must(db_->ListStreams({})).streams.empty());
}

// A change of the table that fails leaves the stream as it was.
TEST_P(StreamReopen, AFailedDisableLeavesTheStreamOpen) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  const std::string arn = StreamArnOf(*db_, "T");
  UpdateTableInput disable{.table_name = "T"};
  disable.stream = StreamSpecification{.enabled = false, .view_type = std::nullopt};
  // The note that the stream is kept is written, the table is not.
  proxy_->transactions_left = 1;
  EXPECT_FALSE(db_->UpdateTable(disable));
  proxy_->transactions_left = -1;
  EXPECT_TRUE(Must(db_->DescribeStream({.stream_arn = arn})).enabled);
  Put(*db_, "T", {{"pk", "a"}});
  EXPECT_EQ(ReadStream(*db_, arn).size(), 1u);
  Open();
  EXPECT_TRUE(Must(db_->DescribeStream({.stream_arn = arn})).enabled);
  Put(*db_, "T", {{"pk", "b"}});
  EXPECT_EQ(ReadStream(*db_, arn).size(), 2u);
}

// A change between the note that the stream is kept and the table's change, which a crash prevents:
// the stream goes on, and the change is in it.
TEST_P(StreamReopen, ACrashWhileDisablingLosesNoRecord) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  const std::string arn = StreamArnOf(*db_, "T");
  int changes = 0;
  proxy_->before_catalog_change = [&] {
    if (++changes == 2) {
      Put(*db_, "T", {{"pk", "between"}});
      proxy_->broken = true;
    }
  };
  UpdateTableInput disable{.table_name = "T"};
  disable.stream = StreamSpecification{.enabled = false, .view_type = std::nullopt};
  EXPECT_FALSE(db_->UpdateTable(disable));
  Open();
  EXPECT_TRUE(Must(db_->DescribeStream({.stream_arn = arn})).enabled);
  EXPECT_EQ(Replay(ReadStream(*db_, arn)), Contents(*db_, "T", {"pk"}));
  EXPECT_EQ(ReadStream(*db_, arn).size(), 1u);
}

// The same change, but the crash comes later: the record is below the stream's end.
TEST_P(StreamReopen, ARecordWrittenWhileDisablingIsKept) {
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  const std::string arn = StreamArnOf(*db_, "T");
  int changes = 0;
  proxy_->before_catalog_change = [&] {
    if (++changes == 2) {
      Put(*db_, "T", {{"pk", "between"}});
    }
  };
  UpdateTableInput disable{.table_name = "T"};
  disable.stream = StreamSpecification{.enabled = false, .view_type = std::nullopt};
  Must(db_->UpdateTable(disable));
  proxy_->before_catalog_change = nullptr;
  EXPECT_EQ(ReadStream(*db_, arn).size(), 1u);
  Open();
  EXPECT_FALSE(Must(db_->DescribeStream({.stream_arn = arn})).enabled);
  EXPECT_EQ(ReadStream(*db_, arn).size(), 1u);
}

TEST_P(StreamReopen, TimeToLiveIsRemembered) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  Put(*db_, "T", {{"pk", "old"}, {"ttl", 1'700'000'001}});
  Must(db_->UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  Put(*db_, "T", {{"pk", "new"}, {"ttl", 1'700'000'002}});
  Put(*db_, "T", {{"pk", "later"}, {"ttl", 1'700'100'000}});
  Open();
  engine::EngineOf(*db_).background().DrainForTesting();
  EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(Must(db_->DescribeTimeToLive("T")).attribute_name, "ttl");
  clock_.Advance(10'000);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(Contents(*db_, "T", {"pk"}).size(), 1u);
  // Also when it was changed last.
  EXPECT_FALSE(db_->UpdateTimeToLive(
      {.table_name = "T", .specification = {.enabled = false, .attribute_name = "ttl"}}));
}

INSTANTIATE_TEST_SUITE_P(Stores, StreamReopen, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "Rocks" : "Memory"; });

// Tables stored before streams had a place of their own.
TEST(CatalogCodec, ReadsATableWithoutTheNewMembers) {
  engine::Table table;
  table.stats = std::make_shared<engine::Stats>();
  table.description.table_name = "T";
  table.description.key_schema = Keys({"pk"});
  table.description.attribute_definitions = DefinitionsFor({Keys({"pk"})});
  table.description.stream =
      StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewImage};
  table.description.stream_label = "2023-11-14T22:13:20.000";
  table.space = 16;
  const auto decoded = engine::DecodeTable(engine::EncodeTable(table));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ((*decoded)->stream, nullptr);
  EXPECT_FALSE((*decoded)->expiry);
}

// Damage that a checksum does not see is an error, not the end of the process.
TEST(CatalogCodec, RefusesATableWhoseKeysMakeNoSense) {
  engine::Table table;
  table.stats = std::make_shared<engine::Stats>();
  table.description.table_name = "T";
  table.space = 16;
  const auto message = [&] {
    const auto decoded = engine::DecodeTable(engine::EncodeTable(table));
    EXPECT_TRUE(!decoded && decoded.error().code == ErrorCode::kCorruption);
    return decoded ? "" : decoded.error().message;
  };
  EXPECT_EQ(message(),
            "the catalog holds a table that cannot be read: a key schema has no partition key");
  table.description.key_schema = Keys({"pk"});
  EXPECT_EQ(message(),
            "the catalog holds a table that cannot be read: the key attribute pk has no "
            "definition");
  table.description.key_schema = Keys({}, {"pk"});
  table.description.attribute_definitions = DefinitionsFor({Keys({"pk"})});
  EXPECT_EQ(message(),
            "the catalog holds a table that cannot be read: a key schema has no partition key");
}

}  // namespace
}  // namespace prejoin
