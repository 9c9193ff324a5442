// What a consumer may count on when a stream begins and when it begins to read one.
#include "tests/engine/slow_writer.h"
#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

class StreamEnable : public testing::Test {
 protected:
  StreamEnable() : memory_(storage::NewMemoryStore()) {
    auto proxy = std::make_unique<StoreProxy>(*memory_);
    store_ = proxy.get();
    Options options;
    options.streams.shards = 1;
    db_ = OpenWith(std::move(proxy), options, clock_);
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  }

  Result<TableDescription> SetStream(bool enabled) {
    UpdateTableInput input{.table_name = "T"};
    input.stream = StreamSpecification{.enabled = enabled, .view_type = std::nullopt};
    if (enabled) {
      input.stream->view_type = StreamViewType::kNewAndOldImages;
    }
    return db_->UpdateTable(input);
  }
  TableStatus Status() { return Must(db_->DescribeTable("T")).status; }

  FakeClock clock_;
  std::unique_ptr<storage::Store> memory_;
  std::unique_ptr<Database> db_;
  StoreProxy* store_ = nullptr;  // Owned by db_.
};

// A consumer enables the stream, waits for ACTIVE, copies the table and follows the stream. What
// a writer that began before does is in the copy or in the stream.
TEST_F(StreamEnable, TheTableIsUpdatingUntilEveryWriterKnowsTheStream) {
  SlowWriter writer(*db_, store_->before_transact, {{"pk", "late"}});
  EXPECT_EQ(Must(SetStream(true)).status, TableStatus::kUpdating);
  EXPECT_EQ(Status(), TableStatus::kUpdating);
  EXPECT_EQ(SetStream(false).error().code, ErrorCode::kResourceInUse);
  Put(*db_, "T", {{"pk", "early"}});
  writer.Finish();
  EXPECT_EQ(Status(), TableStatus::kActive);
  EXPECT_EQ(Contents(*db_, "T", {"pk"}).size(), 2u);
  EXPECT_EQ(ReadStream(*db_, StreamArnOf(*db_, "T")).size(), 1u);
}

// Also one that knows the stream before: its changes would go nowhere.
TEST_F(StreamEnable, AWriterOfAnOlderStreamIsWaitedForToo) {
  Must(SetStream(true));
  SlowWriter writer(*db_, store_->before_transact, {{"pk", "late"}});
  Must(SetStream(false));
  EXPECT_EQ(Status(), TableStatus::kActive);
  Must(SetStream(true));
  EXPECT_EQ(Status(), TableStatus::kUpdating);
  writer.Finish();
  EXPECT_EQ(Status(), TableStatus::kActive);
}

TEST_F(StreamEnable, WithoutWritersItIsActiveAtOnce) {
  Must(SetStream(true));
  EXPECT_EQ(Status(), TableStatus::kActive);
}

// LATEST, then a look at the table, then the records: a change whose commit comes last is not
// missed, though its number is older than the iterator.
TEST_F(StreamEnable, LatestIsBeforeChangesThatAreNotVisibleYet) {
  Must(SetStream(true));
  Put(*db_, "T", {{"pk", "before"}});
  SlowWriter writer(*db_, store_->before_commit, {{"pk", "late"}});
  const std::string arn = StreamArnOf(*db_, "T");
  const std::string iterator =
      Must(db_->GetShardIterator({.stream_arn = arn,
                                  .shard_id = ShardsOf(*db_, arn)[0].shard_id,
                                  .type = ShardIteratorType::kLatest,
                                  .sequence_number = std::nullopt}));
  EXPECT_EQ(Contents(*db_, "T", {"pk"}).size(), 1u);
  writer.Finish();
  const auto records = Must(db_->GetRecords({.shard_iterator = iterator})).records;
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(Text(records[0].keys), "{pk: \"late\"}");
}

}  // namespace
}  // namespace prejoin
