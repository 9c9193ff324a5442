// Shards, iterators, and the life of a stream.
#include <regex>

#include "engine/engine_of.h"
#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

constexpr std::int64_t kMinute = 60 * 1000;
constexpr std::int64_t kHour = 60 * kMinute;

class StreamShards : public testing::Test {
 protected:
  void Open(const StreamOptions& streams) {
    Options options;
    options.streams = streams;
    db_ = OpenWith(storage::NewMemoryStore(), options, clock_);
    Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
    arn_ = StreamArnOf(*db_, "T");
  }
  void PutNumbered(int number) { Put(*db_, "T", {{"pk", "p" + std::to_string(number)}}); }

  Result<std::string> Iterator(const std::string& shard, ShardIteratorType type,
                               std::optional<std::string> number = std::nullopt) {
    return db_->GetShardIterator({.stream_arn = arn_,
                                  .shard_id = shard,
                                  .type = type,
                                  .sequence_number = std::move(number)});
  }
  Result<GetRecordsOutput> Records(const std::string& iterator,
                                   std::optional<std::int32_t> limit = std::nullopt) {
    return db_->GetRecords({.shard_iterator = iterator, .limit = limit});
  }
  std::vector<ShardDescription> Shards() { return ShardsOf(*db_, arn_); }
  ErrorCode CodeOf(const auto& result) {
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::kInternal : result.error().code;
  }

  FakeClock clock_;
  std::unique_ptr<Database> db_;
  std::string arn_;
};

TEST_F(StreamShards, ANewStreamHasItsFirstShardsAtOnce) {
  Open({.shards = 4});
  const auto shards = Shards();
  ASSERT_EQ(shards.size(), 4u);
  for (const ShardDescription& shard : shards) {
    EXPECT_TRUE(std::regex_match(shard.shard_id, std::regex("shardId-[0-9]{20}-[0-9a-f]{8}")))
        << shard.shard_id;
    EXPECT_EQ(shard.starting_sequence_number.size(), 21u);
    EXPECT_FALSE(shard.ending_sequence_number);
    EXPECT_FALSE(shard.parent_shard_id);
  }
  const auto description = Must(db_->DescribeStream({.stream_arn = arn_}));
  EXPECT_TRUE(description.enabled);
  EXPECT_EQ(description.summary.table_name, "T");
  EXPECT_EQ(description.created_ms, clock_.NowMs());
}

TEST_F(StreamShards, AnOldShardGetsAChildWhenItIsWritten) {
  Open({.shards = 1, .shard_seconds = 3600});
  PutNumbered(1);
  clock_.Advance(kHour - 1);
  PutNumbered(2);
  ASSERT_EQ(Shards().size(), 1u);
  clock_.Advance(1);
  ASSERT_EQ(Shards().size(), 1u);
  PutNumbered(3);
  const auto shards = Shards();
  ASSERT_EQ(shards.size(), 2u);
  EXPECT_EQ(shards[1].parent_shard_id, shards[0].shard_id);
  ASSERT_TRUE(shards[0].ending_sequence_number);
  EXPECT_LT(*shards[0].ending_sequence_number, shards[1].starting_sequence_number);
  EXPECT_FALSE(shards[1].ending_sequence_number);

  const auto page =
      Must(Records(Must(Iterator(shards[0].shard_id, ShardIteratorType::kTrimHorizon))));
  EXPECT_EQ(page.records.size(), 2u);
  EXPECT_FALSE(page.next_shard_iterator);
  EXPECT_EQ(page.records[0].created_ms, 1'700'000'000'000);
  const auto child =
      Must(Records(Must(Iterator(shards[1].shard_id, ShardIteratorType::kTrimHorizon))));
  EXPECT_EQ(child.records.size(), 1u);
  EXPECT_TRUE(child.next_shard_iterator);

  const auto children =
      Must(db_->DescribeStream({.stream_arn = arn_, .children_of = shards[0].shard_id})).shards;
  ASSERT_EQ(children.size(), 1u);
  EXPECT_EQ(children[0].shard_id, shards[1].shard_id);
  EXPECT_TRUE(Must(db_->DescribeStream({.stream_arn = arn_, .children_of = shards[1].shard_id}))
                  .shards.empty());
}

TEST_F(StreamShards, AFullShardSplitsInTwo) {
  Open({.shards = 1, .shard_records = 10});
  for (int i = 0; i < 10; ++i) {
    PutNumbered(i);
  }
  EXPECT_EQ(Shards().size(), 1u);
  PutNumbered(10);
  const auto shards = Shards();
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[1].parent_shard_id, shards[0].shard_id);
  EXPECT_EQ(shards[2].parent_shard_id, shards[0].shard_id);
  EXPECT_TRUE(shards[0].ending_sequence_number);
  for (int i = 11; i < 200; ++i) {
    PutNumbered(i);
  }
  EXPECT_GT(Shards().size(), 10u);
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 200u);
  EXPECT_TRUE(std::ranges::is_sorted(Shards(), {}, &ShardDescription::shard_id));
}

TEST_F(StreamShards, PagesOfShards) {
  Open({.shards = 5});
  std::vector<std::string> ids;
  DescribeStreamInput input{.stream_arn = arn_, .limit = 2};
  int pages = 0;
  do {
    const auto page = Must(db_->DescribeStream(input));
    for (const auto& shard : page.shards) {
      ids.push_back(shard.shard_id);
    }
    input.exclusive_start_shard_id = page.last_evaluated_shard_id;
    ++pages;
  } while (input.exclusive_start_shard_id);
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(ids.size(), 5u);
  input.exclusive_start_shard_id = ids.back();
  EXPECT_TRUE(Must(db_->DescribeStream(input)).shards.empty());
}

TEST_F(StreamShards, TheFourIteratorTypes) {
  Open({.shards = 1});
  const std::string shard = Shards()[0].shard_id;
  const std::string early = Must(Iterator(shard, ShardIteratorType::kLatest));
  for (int i = 0; i < 5; ++i) {
    PutNumbered(i);
  }
  const auto all = Must(Records(Must(Iterator(shard, ShardIteratorType::kTrimHorizon))));
  ASSERT_EQ(all.records.size(), 5u);
  EXPECT_EQ(Must(Records(early)).records.size(), 5u);
  EXPECT_TRUE(Must(Records(Must(Iterator(shard, ShardIteratorType::kLatest)))).records.empty());
  const std::string third = all.records[2].sequence_number;
  EXPECT_EQ(Must(Records(Must(Iterator(shard, ShardIteratorType::kAtSequenceNumber, third))))
                .records.size(),
            3u);
  EXPECT_EQ(Must(Records(Must(Iterator(shard, ShardIteratorType::kAfterSequenceNumber, third))))
                .records.size(),
            2u);
  // An iterator goes on behind what was read, and can be used twice.
  for (int round = 0; round < 2; ++round) {
    const auto page = Must(Records(Must(Iterator(shard, ShardIteratorType::kTrimHorizon)), 4));
    EXPECT_EQ(page.records.size(), 4u);
    EXPECT_EQ(Must(Records(*page.next_shard_iterator)).records.size(), 1u);
  }
  const auto start = Shards()[0].starting_sequence_number;
  EXPECT_EQ(Must(Records(Must(Iterator(shard, ShardIteratorType::kAtSequenceNumber, start))))
                .records.size(),
            5u);
}

TEST_F(StreamShards, RefusesWhatIsNotThere) {
  Open({.shards = 1});
  const std::string shard = Shards()[0].shard_id;
  const std::string number = Shards()[0].starting_sequence_number;
  using enum ShardIteratorType;
  EXPECT_EQ(CodeOf(Iterator(shard, kAtSequenceNumber)), ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator(shard, kAfterSequenceNumber)), ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator(shard, kLatest, number)), ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator(shard, kTrimHorizon, number)), ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator(shard, kAtSequenceNumber, "100000000000000000000")),
            ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator(shard, kAtSequenceNumber, std::string(21, 'x'))),
            ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(Iterator("shardId-00000000000000000001-00000001", kLatest)),
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(CodeOf(Iterator("no shard at all, only some text", kLatest)),
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(CodeOf(Records("not an iterator")), ErrorCode::kValidation);
  std::string damaged = Must(Iterator(shard, kLatest));
  damaged[damaged.size() - 20] = damaged[damaged.size() - 20] == '0' ? '1' : '0';
  EXPECT_EQ(CodeOf(Records(damaged)), ErrorCode::kValidation);
  EXPECT_EQ(
      CodeOf(db_->DescribeStream({.stream_arn = "a text of no meaning whatsoever, but long"})),
      ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(db_->DescribeStream({.stream_arn = arn_ + "1"})), ErrorCode::kResourceNotFound);
}

TEST_F(StreamShards, IteratorsLiveFifteenMinutes) {
  Open({.shards = 1});
  PutNumbered(1);
  const std::string iterator =
      Must(Iterator(Shards()[0].shard_id, ShardIteratorType::kTrimHorizon));
  clock_.Advance(15 * kMinute - 1);
  const auto page = Must(Records(iterator));
  clock_.Advance(1);
  EXPECT_EQ(CodeOf(Records(iterator)), ErrorCode::kExpiredIterator);
  Must(Records(*page.next_shard_iterator));
}

TEST_F(StreamShards, RecordsAreKeptForADay) {
  Open({.shards = 1, .shard_seconds = 4 * 3600});
  PutNumbered(1);
  const std::string first_shard = Shards()[0].shard_id;
  const std::string first = ReadStream(*db_, arn_)[0].sequence_number;
  clock_.Advance(5 * kHour);
  PutNumbered(2);
  clock_.Advance(19 * kHour - 1);
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 2u);
  Must(Iterator(first_shard, ShardIteratorType::kAtSequenceNumber, first));
  clock_.Advance(2);
  for (int round = 0; round < 2; ++round) {
    // The answer is the same before and after the sweep.
    EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);
    EXPECT_EQ(CodeOf(Iterator(first_shard, ShardIteratorType::kAtSequenceNumber, first)),
              ErrorCode::kTrimmedDataAccess);
    engine::EngineOf(*db_).background().SweepNow();
  }
  clock_.Advance(5 * kHour);
  EXPECT_TRUE(ReadStream(*db_, arn_).empty());
  // The shard that ended more than a day ago is no longer shown; its child still names it.
  for (int round = 0; round < 2; ++round) {
    const auto shards = Shards();
    ASSERT_EQ(shards.size(), 1u);
    EXPECT_EQ(shards[0].parent_shard_id, first_shard);
    EXPECT_EQ(CodeOf(Iterator(first_shard, ShardIteratorType::kLatest)),
              ErrorCode::kResourceNotFound);
    engine::EngineOf(*db_).background().SweepNow();
  }
  PutNumbered(3);
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);
}

TEST_F(StreamShards, AnIteratorThatFallsBehindTheTrimPointIsToldSo) {
  Open({.shards = 1});
  PutNumbered(1);
  clock_.Advance(10 * kMinute);
  PutNumbered(2);
  clock_.Advance(24 * kHour - 15 * kMinute);
  const std::string shard = Shards()[0].shard_id;
  const std::string horizon = Must(Iterator(shard, ShardIteratorType::kTrimHorizon));
  const std::string number = ReadStream(*db_, arn_)[0].sequence_number;
  const std::string at = Must(Iterator(shard, ShardIteratorType::kAtSequenceNumber, number));
  clock_.Advance(10 * kMinute);
  EXPECT_EQ(CodeOf(Records(at)), ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(Must(Records(horizon)).records.size(), 1u);
}

TEST_F(StreamShards, PagesEndAtAMegabyteAndAtAThousandRecords) {
  Open({.shards = 1});
  const std::string shard = Shards()[0].shard_id;
  const std::string begin = Must(Iterator(shard, ShardIteratorType::kTrimHorizon));
  for (int i = 0; i < 4; ++i) {
    Put(*db_, "T", {{"pk", "big" + std::to_string(i)}, {"x", std::string(390'000, 'x')}});
  }
  auto page = Must(Records(begin));
  EXPECT_EQ(page.records.size(), 2u);
  page = Must(Records(*page.next_shard_iterator));
  EXPECT_EQ(page.records.size(), 2u);
  for (int i = 0; i < 1001; ++i) {
    PutNumbered(i);
  }
  page = Must(Records(*page.next_shard_iterator));
  EXPECT_EQ(page.records.size(), 1000u);
  page = Must(Records(*page.next_shard_iterator));
  EXPECT_EQ(page.records.size(), 1u);
}

TEST_F(StreamShards, DisablingClosesAndEnablingMakesAnother) {
  Open({.shards = 2});
  PutNumbered(1);
  UpdateTableInput disable{.table_name = "T"};
  disable.stream = StreamSpecification{.enabled = false, .view_type = std::nullopt};
  Must(db_->UpdateTable(disable));
  PutNumbered(2);
  const auto described = Must(db_->DescribeTable("T"));
  EXPECT_FALSE(described.stream);
  EXPECT_EQ(described.arn + "/stream/" + described.stream_label, arn_);
  EXPECT_FALSE(Must(db_->DescribeStream({.stream_arn = arn_})).enabled);
  for (const auto& shard : Shards()) {
    EXPECT_TRUE(shard.ending_sequence_number);
    const auto latest = Must(Records(Must(Iterator(shard.shard_id, ShardIteratorType::kLatest))));
    EXPECT_TRUE(latest.records.empty());
    EXPECT_FALSE(latest.next_shard_iterator);
  }
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);

  UpdateTableInput enable{.table_name = "T"};
  enable.stream =
      StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewAndOldImages};
  Must(db_->UpdateTable(enable));
  // In the same millisecond, and yet another stream.
  const std::string second = StreamArnOf(*db_, "T");
  EXPECT_NE(second, arn_);
  EXPECT_EQ(CodeOf(db_->UpdateTable(enable)), ErrorCode::kValidation);
  PutNumbered(3);
  EXPECT_EQ(Text(ReadStream(*db_, second)), "INSERT {pk: \"p3\"} old none new {pk: \"p3\"}");
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);
  EXPECT_EQ(Must(db_->ListStreams({.table_name = "T"})).streams.size(), 2u);

  clock_.Advance(24 * kHour + 1);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CodeOf(db_->DescribeStream({.stream_arn = arn_})), ErrorCode::kResourceNotFound);
  EXPECT_EQ(Must(db_->ListStreams({.table_name = "T"})).streams.size(), 1u);
}

TEST_F(StreamShards, OutlivesItsTableByADay) {
  Open({.shards = 2});
  PutNumbered(1);
  Must(db_->DeleteTable("T"));
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);
  // A table of the same name has a stream of its own.
  Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  EXPECT_NE(StreamArnOf(*db_, "T"), arn_);
  EXPECT_EQ(ReadStream(*db_, arn_).size(), 1u);
  clock_.Advance(24 * kHour + 1);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CodeOf(db_->DescribeStream({.stream_arn = arn_})), ErrorCode::kResourceNotFound);
}

TEST_F(StreamShards, ListsStreamsInPages) {
  Open({.shards = 1});
  for (const char* name : {"A", "B", "C"}) {
    Must(db_->CreateTable(WithStream(MakeTable(std::string("Table") + name, Keys({"pk"})))));
  }
  Must(db_->CreateTable(MakeTable("Plain", Keys({"pk"}))));
  std::vector<std::string> tables;
  ListStreamsInput input{.limit = 3};
  do {
    const auto page = Must(db_->ListStreams(input));
    EXPECT_LE(page.streams.size(), 3u);
    for (const StreamSummary& stream : page.streams) {
      tables.push_back(stream.table_name);
    }
    input.exclusive_start_stream_arn = page.last_evaluated_stream_arn;
  } while (input.exclusive_start_stream_arn);
  EXPECT_EQ(tables, (std::vector<std::string>{"T", "TableA", "TableB", "TableC"}));
  EXPECT_TRUE(Must(db_->ListStreams({.table_name = "Plain"})).streams.empty());
  EXPECT_EQ(CodeOf(db_->ListStreams({.exclusive_start_stream_arn = "nonsense"})),
            ErrorCode::kValidation);
}

}  // namespace
}  // namespace prejoin
