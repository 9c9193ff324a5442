// What a program that uses the library can get wrong and a request over HTTP cannot: each is an
// error, and none of them ends the program.
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class InputChecks : public testing::Test {
 protected:
  InputChecks() { Must(db_->CreateTable(MakeTable("T", Keys({"pk"})))); }

  bool Accepts(AttributeValue value) {
    return db_->PutItem({.table_name = "T", .item = {{"pk", "a"}, {"x", std::move(value)}}})
        .has_value();
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

AttributeValue Nested(int levels) {
  AttributeValue value = "inside";
  for (int i = 0; i < levels; ++i) {
    value = i % 2 == 0 ? AttributeValue(AttributeValue::List{std::move(value)})
                       : AttributeValue(Item{{"k", std::move(value)}});
  }
  return value;
}

TEST_F(InputChecks, NestingEndsAt32Levels) {
  EXPECT_TRUE(Accepts(Nested(30)));
  EXPECT_TRUE(Accepts(Nested(31)));
  EXPECT_FALSE(Accepts(Nested(32)));
  EXPECT_FALSE(Accepts(Nested(5000)));
}

TEST_F(InputChecks, NestingEndsAt32LevelsForUpdatesToo) {
  Put(*db_, "T", {{"pk", "a"}, {"m", Item{{"n", Item{}}}}});
  const auto set_inside = [&](int levels) {
    return db_
        ->UpdateItem({.table_name = "T",
                      .key = {{"pk", "a"}},
                      .update_expression = "SET m.n.o = :v",
                      .expression_attribute_values = AttributeValues{{":v", Nested(levels)}}})
        .has_value();
  };
  EXPECT_TRUE(set_inside(28));
  EXPECT_TRUE(set_inside(29));
  EXPECT_FALSE(set_inside(30));
}

TEST_F(InputChecks, StringsMustBeUtf8) {
  for (const char* good : {"", "plain", "\u00e9", "\u20ac", "\U0001F600", "\u0080", "\uffff"}) {
    for (const std::string& before : {std::string(), std::string(7, 'a'), std::string(8, 'a')}) {
      EXPECT_TRUE(Accepts(before + good)) << before << good;
      EXPECT_TRUE(Accepts(before + good + "longer than eight")) << before << good;
    }
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf0\x8f\xbf\xbf", "\xff", "a\xe2\x82"}) {
    for (const std::string& before : {std::string(), std::string(7, 'a'), std::string(8, 'a')}) {
      EXPECT_FALSE(Accepts(before + bad)) << Text(AttributeValue(before + bad));
      EXPECT_FALSE(Accepts(before + bad + "longer than eight")) << Text(AttributeValue(bad));
    }
  }
  EXPECT_TRUE(Accepts(Binary("\xff\x80")));
  EXPECT_FALSE(Accepts(Item{{"\xff", 1}}));
}

TEST_F(InputChecks, SetsHaveMembersAndNoneTwice) {
  EXPECT_TRUE(Accepts(AttributeValue::StringSet{{"a", "b"}}));
  EXPECT_FALSE(Accepts(AttributeValue::StringSet{}));
  EXPECT_FALSE(Accepts(AttributeValue::StringSet{{"a", "b", "a"}}));
  EXPECT_FALSE(Accepts(AttributeValue::NumberSet{{Number(1), *Number::Parse("1.0")}}));
  EXPECT_FALSE(Accepts(AttributeValue::BinarySet{{"x", "x"}}));
  EXPECT_FALSE(Accepts(AttributeValue::List{AttributeValue::StringSet{}}));
}

TEST_F(InputChecks, WriteRequestIsEitherPutOrRemove) {
  const auto write = [&](WriteRequest request) {
    return db_->BatchWriteItem({.request_items = {{"T", {std::move(request)}}}}).has_value();
  };
  EXPECT_TRUE(write({.put = Item{{"pk", "a"}}}));
  EXPECT_TRUE(write({.remove = Item{{"pk", "a"}}}));
  EXPECT_FALSE(write({}));
  EXPECT_FALSE(write({.put = Item{{"pk", "a"}}, .remove = Item{{"pk", "a"}}}));
}

TEST_F(InputChecks, BatchesHaveTheirSizes) {
  const auto writes = [&](int count) {
    BatchWriteItemInput input;
    for (int i = 0; i < count; ++i) {
      input.request_items["T"].push_back({.put = Item{{"pk", std::to_string(i)}}});
    }
    return db_->BatchWriteItem(input).has_value();
  };
  EXPECT_FALSE(writes(0));
  EXPECT_TRUE(writes(1));
  EXPECT_TRUE(writes(24));
  EXPECT_TRUE(writes(25));
  EXPECT_FALSE(writes(26));
  const auto reads = [&](int count) {
    KeysAndAttributes request;
    for (int i = 0; i < count; ++i) {
      request.keys.push_back({{"pk", std::to_string(i)}});
    }
    return db_->BatchGetItem({.request_items = {{"T", request}}}).has_value();
  };
  EXPECT_FALSE(reads(0));
  EXPECT_TRUE(reads(99));
  EXPECT_TRUE(reads(100));
  EXPECT_FALSE(reads(101));
}

TEST_F(InputChecks, TransactionsHaveTheirSizes) {
  const auto both = [&](int count) {
    TransactGetItemsInput gets;
    TransactWriteItemsInput writes;
    for (int i = 0; i < count; ++i) {
      const Item key = {{"pk", std::to_string(i)}};
      gets.items.push_back({.table_name = "T", .key = key});
      writes.items.push_back({.table_name = "T", .item_or_key = key});
    }
    const bool read = db_->TransactGetItems(gets).has_value();
    EXPECT_EQ(db_->TransactWriteItems(writes).has_value(), read) << count;
    return read;
  };
  EXPECT_FALSE(both(0));
  EXPECT_TRUE(both(99));
  EXPECT_TRUE(both(100));
  EXPECT_FALSE(both(101));
}

TEST_F(InputChecks, LimitsAndSegmentsAreInRange) {
  const auto scan = [&](std::optional<int> limit, std::optional<int> segment,
                        std::optional<int> total) {
    return db_
        ->Scan({.table_name = "T", .limit = limit, .segment = segment, .total_segments = total})
        .has_value();
  };
  EXPECT_FALSE(scan(0, {}, {}));
  EXPECT_FALSE(scan(-1, {}, {}));
  EXPECT_TRUE(scan(1, {}, {}));
  EXPECT_FALSE(scan({}, 0, 0));
  EXPECT_FALSE(scan({}, -1, 2));
  EXPECT_TRUE(scan({}, 0, 1'000'000));
  EXPECT_FALSE(scan({}, 0, 1'000'001));
  EXPECT_FALSE(db_->ListTables({.limit = 0}).has_value());
  EXPECT_TRUE(db_->ListTables({.limit = 100}).has_value());
  EXPECT_FALSE(db_->ListTables({.limit = 101}).has_value());
}

TEST_F(InputChecks, TablesHaveOneOrTwoKeyAttributes) {
  EXPECT_FALSE(db_->CreateTable(MakeTable("Empty", {})).has_value());
  EXPECT_FALSE(db_->CreateTable(MakeTable("Three", Keys({"pk"}, {"a", "b"}))).has_value());
  EXPECT_TRUE(db_->CreateTable(MakeTable("Two", Keys({"pk"}, {"a"}))).has_value());
}

}  // namespace
}  // namespace prejoin
