// What is recorded for a change, and what is not.
#include "tests/engine/stream_reader.h"

namespace prejoin {
namespace {

class StreamRecords : public testing::TestWithParam<StreamViewType> {
 protected:
  StreamRecords() : db_(OpenInMemory()) {
    Must(db_->CreateTable(WithStream(MakeTable("T", Keys({"pk"})), GetParam())));
  }

  std::string Records() { return Text(ReadStream(*db_, StreamArnOf(*db_, "T"))); }
  void Update(const std::string& key, const std::string& expression, int value) {
    Must(db_->UpdateItem({.table_name = "T",
                          .key = {{"pk", key}},
                          .update_expression = expression,
                          .expression_attribute_values = AttributeValues{{":v", value}}}));
  }
  void Delete(const std::string& key) {
    Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", key}}}));
  }

  std::unique_ptr<Database> db_;
};

TEST_P(StreamRecords, ShowWhatTheViewTypeAsksFor) {
  Put(*db_, "T", {{"pk", "a"}, {"x", 1}});
  Update("a", "SET x = :v", 2);
  Delete("a");
  const std::map<StreamViewType, std::string> expected = {
      {StreamViewType::kKeysOnly,
       "INSERT {pk: \"a\"} old none new none\n"
       "MODIFY {pk: \"a\"} old none new none\n"
       "REMOVE {pk: \"a\"} old none new none"},
      {StreamViewType::kNewImage,
       "INSERT {pk: \"a\"} old none new {pk: \"a\", x: 1}\n"
       "MODIFY {pk: \"a\"} old none new {pk: \"a\", x: 2}\n"
       "REMOVE {pk: \"a\"} old none new none"},
      {StreamViewType::kOldImage,
       "INSERT {pk: \"a\"} old none new none\n"
       "MODIFY {pk: \"a\"} old {pk: \"a\", x: 1} new none\n"
       "REMOVE {pk: \"a\"} old {pk: \"a\", x: 2} new none"},
      {StreamViewType::kNewAndOldImages,
       "INSERT {pk: \"a\"} old none new {pk: \"a\", x: 1}\n"
       "MODIFY {pk: \"a\"} old {pk: \"a\", x: 1} new {pk: \"a\", x: 2}\n"
       "REMOVE {pk: \"a\"} old {pk: \"a\", x: 2} new none"}};
  EXPECT_EQ(Records(), expected.at(GetParam()));
}

TEST_P(StreamRecords, NothingChangedNothingRecorded) {
  Put(*db_, "T", {{"pk", "a"}, {"x", 1}, {"s", AttributeValue::StringSet{{"u", "v"}}}});
  EXPECT_EQ(ReadStream(*db_, StreamArnOf(*db_, "T")).size(), 1u);
  Put(*db_, "T", {{"pk", "a"}, {"x", 1}, {"s", AttributeValue::StringSet{{"v", "u"}}}});
  Update("a", "SET x = :v", 1);
  Delete("b");
  EXPECT_FALSE(db_->PutItem({.table_name = "T",
                             .item = {{"pk", "a"}, {"x", 9}},
                             .condition_expression = "attribute_not_exists(pk)"}));
  EXPECT_EQ(ReadStream(*db_, StreamArnOf(*db_, "T")).size(), 1u);
  // A value of another type is another value.
  Put(*db_, "T", {{"pk", "a"}, {"x", "1"}, {"s", AttributeValue::StringSet{{"u", "v"}}}});
  EXPECT_EQ(ReadStream(*db_, StreamArnOf(*db_, "T")).size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Views, StreamRecords,
                         testing::Values(StreamViewType::kKeysOnly, StreamViewType::kNewImage,
                                         StreamViewType::kOldImage,
                                         StreamViewType::kNewAndOldImages));

// The figures are those of AWS's example of a stream.
TEST(StreamRecordSize, CountsKeysAndImages) {
  const auto db = OpenInMemory();
  auto table = MakeTable("T", Keys({"Id"}));
  table.attribute_definitions = {{"Id", ScalarType::kNumber}};
  Must(db->CreateTable(WithStream(table)));
  Put(*db, "T", {{"Id", 101}, {"Message", "New item!"}});
  Put(*db, "T", {{"Id", 101}, {"Message", "This item has changed"}});
  Must(db->DeleteItem({.table_name = "T", .key = {{"Id", 101}}}));
  const auto records = ReadStream(*db, StreamArnOf(*db, "T"));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].size_bytes, 26u);
  EXPECT_EQ(records[1].size_bytes, 59u);
  EXPECT_EQ(records[2].size_bytes, 38u);
}

TEST(StreamRecord, IsTheSameWheneverItIsRead) {
  FakeClock clock;
  const auto db = OpenOn(storage::NewMemoryStore(), clock);
  Must(db->CreateTable(WithStream(MakeTable("T", Keys({"pk"})))));
  clock.Advance(1700);
  Put(*db, "T", {{"pk", "a"}});
  Put(*db, "T", {{"pk", "b"}});
  const std::string arn = StreamArnOf(*db, "T");
  const auto first = ReadStream(*db, arn);
  clock.Advance(1000);
  const auto second = ReadStream(*db, arn);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(first[i].event_id, second[i].event_id);
    EXPECT_EQ(first[i].event_id.size(), 32u);
    EXPECT_EQ(first[i].sequence_number, second[i].sequence_number);
    EXPECT_EQ(first[i].sequence_number.size(), 21u);
    // Rounded down to the second.
    EXPECT_EQ(first[i].created_ms, 1'700'000'001'000);
  }
  EXPECT_NE(first[0].event_id, first[1].event_id);
}

TEST(StreamRecord, BatchesAndTransactionsAreRecordedItemByItem) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(WithStream(MakeTable("T", Keys({"pk"}, {"nk"})))));
  Must(db->CreateTable(WithStream(MakeTable("U", Keys({"pk"})))));
  Must(db->CreateTable(MakeTable("Plain", Keys({"pk"}))));
  Put(*db, "T", {{"pk", "p"}, {"nk", 0}});
  Must(db->BatchWriteItem(
      {.request_items = {{"T",
                          {{.put = Item{{"pk", "p"}, {"nk", 1}}, .remove = std::nullopt},
                           {.put = std::nullopt, .remove = Item{{"pk", "p"}, {"nk", 0}}},
                           {.put = std::nullopt, .remove = Item{{"pk", "p"}, {"nk", 7}}}}}}}));
  TransactWriteItemsInput transaction;
  transaction.items = {
      {.action = TransactAction::kPut, .table_name = "T", .item_or_key = {{"pk", "q"}, {"nk", 1}}},
      {.action = TransactAction::kPut, .table_name = "U", .item_or_key = {{"pk", "u"}}},
      {.action = TransactAction::kPut, .table_name = "Plain", .item_or_key = {{"pk", "u"}}},
      {.action = TransactAction::kConditionCheck,
       .table_name = "T",
       .item_or_key = {{"pk", "none"}, {"nk", 1}},
       .condition_expression = "attribute_not_exists(pk)"},
      {.action = TransactAction::kDelete,
       .table_name = "T",
       .item_or_key = {{"pk", "p"}, {"nk", 1}}}};
  Must(db->TransactWriteItems(transaction));
  // One that is cancelled leaves nothing, not even for its good parts.
  transaction.items[0].item_or_key = {{"pk", "r"}, {"nk", 1}};
  transaction.items[3].condition_expression = "attribute_exists(pk)";
  EXPECT_FALSE(db->TransactWriteItems(transaction));
  auto records = ReadStream(*db, StreamArnOf(*db, "T"));
  EXPECT_EQ(records.size(), 5u);
  EXPECT_EQ(Replay(records), Contents(*db, "T", {"pk", "nk"}));
  EXPECT_EQ(Text(ReadStream(*db, StreamArnOf(*db, "U"))),
            "INSERT {pk: \"u\"} old none new {pk: \"u\"}");
}

}  // namespace
}  // namespace prejoin
