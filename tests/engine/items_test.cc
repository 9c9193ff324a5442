// PutItem, GetItem, UpdateItem, DeleteItem: what they do, return and refuse.
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class Items : public testing::Test {
 protected:
  Items() { Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"nsk"})))); }

  std::unique_ptr<Database> db_ = OpenInMemory();
  const Item key_ = {{"pk", "a"}, {"nsk", 1}};
};

TEST_F(Items, PutReplacesTheWholeItem) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"x", 1}, {"y", 2}});
  const auto second = Must(db_->PutItem({.table_name = "T",
                                         .item = {{"pk", "a"}, {"nsk", 1}, {"z", true}},
                                         .return_values = ReturnValues::kAllOld}));
  EXPECT_EQ(Text(second.attributes), "{nsk: 1, pk: \"a\", x: 1, y: 2}");
  EXPECT_EQ(Text(Get(*db_, "T", key_)), "{nsk: 1, pk: \"a\", z: true}");
}

TEST_F(Items, FirstPutReturnsNoOldAttributes) {
  const auto output =
      Must(db_->PutItem({.table_name = "T", .item = key_, .return_values = ReturnValues::kAllOld}));
  EXPECT_FALSE(output.attributes.has_value());
}

TEST_F(Items, NumbersThatAreEqualAreTheSameKey) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", *Number::Parse("1.0")}, {"x", 1}});
  Put(*db_, "T", {{"pk", "a"}, {"nsk", *Number::Parse("0.1e1")}, {"x", 2}});
  EXPECT_EQ(Text(Get(*db_, "T", key_)), "{nsk: 1, pk: \"a\", x: 2}");
  EXPECT_EQ(Must(db_->DescribeTable("T")).item_count, 1);
}

TEST_F(Items, EveryTypeComesBackAsItWentIn) {
  const Item item = {{"pk", "a"},
                     {"nsk", 1},
                     {"s", ""},
                     {"n", *Number::Parse("-12345678901234567890.123456789")},
                     {"b", Binary(std::string("\0\xff", 2))},
                     {"t", true},
                     {"f", false},
                     {"z", AttributeValue()},
                     {"l", AttributeValue::List{1, "two", AttributeValue::List{}}},
                     {"m", Item{{"k", Item{}}, {"", 1}}},
                     {"ss", AttributeValue::StringSet{{"b", "a"}}},
                     {"ns", AttributeValue::NumberSet{{Number(3), Number(-1)}}},
                     {"bs", AttributeValue::BinarySet{{"x", ""}}}};
  Put(*db_, "T", item);
  EXPECT_EQ(Get(*db_, "T", key_), item);
}

TEST_F(Items, GetOfNothingIsNotAnError) { EXPECT_EQ(Get(*db_, "T", key_), std::nullopt); }

TEST_F(Items, GetProjectsNestedPaths) {
  Put(*db_, "T",
      {{"pk", "a"}, {"nsk", 1}, {"m", Item{{"x", 1}, {"y", AttributeValue::List{5, 6, 7}}}}});
  const auto output =
      Must(db_->GetItem({.table_name = "T",
                         .key = key_,
                         .projection_expression = "pk, #m.y[2], #m.x, nowhere",
                         .expression_attribute_names = AttributeNames{{"#m", "m"}}}));
  EXPECT_EQ(Text(output.item), "{m: {x: 1, y: [7]}, pk: \"a\"}");
}

TEST_F(Items, UpdateCreatesAndChanges) {
  const auto created = Must(
      db_->UpdateItem({.table_name = "T",
                       .key = key_,
                       .update_expression = "SET x = if_not_exists(x, :zero) + :one ADD c :one",
                       .expression_attribute_values = AttributeValues{{":zero", 0}, {":one", 1}},
                       .return_values = ReturnValues::kAllNew}));
  EXPECT_EQ(Text(created.attributes), "{c: 1, nsk: 1, pk: \"a\", x: 1}");
  const auto changed =
      Must(db_->UpdateItem({.table_name = "T",
                            .key = key_,
                            .update_expression = "SET x = x + :two, y = :two REMOVE c",
                            .expression_attribute_values = AttributeValues{{":two", 2}},
                            .return_values = ReturnValues::kUpdatedNew}));
  EXPECT_EQ(Text(changed.attributes), "{x: 3, y: 2}");
  EXPECT_EQ(Text(Get(*db_, "T", key_)), "{nsk: 1, pk: \"a\", x: 3, y: 2}");
}

TEST_F(Items, UpdateReturnsWhatIsAskedFor) {
  const auto run = [&](ReturnValues wanted) {
    Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"x", 1}, {"y", 1}});
    return Text(Must(db_->UpdateItem({.table_name = "T",
                                      .key = key_,
                                      .update_expression = "SET x = :v REMOVE y",
                                      .expression_attribute_values = AttributeValues{{":v", 9}},
                                      .return_values = wanted}))
                    .attributes);
  };
  EXPECT_EQ(run(ReturnValues::kNone), "none");
  EXPECT_EQ(run(ReturnValues::kAllOld), "{nsk: 1, pk: \"a\", x: 1, y: 1}");
  EXPECT_EQ(run(ReturnValues::kUpdatedOld), "{x: 1, y: 1}");
  EXPECT_EQ(run(ReturnValues::kAllNew), "{nsk: 1, pk: \"a\", x: 9}");
  EXPECT_EQ(run(ReturnValues::kUpdatedNew), "{x: 9}");
}

TEST_F(Items, UpdateWithoutExpressionCreatesTheBareKey) {
  Must(db_->UpdateItem({.table_name = "T", .key = key_}));
  EXPECT_EQ(Get(*db_, "T", key_), key_);
}

TEST_F(Items, UpdateOfAKeyAttributeIsRefused) {
  const auto output = db_->UpdateItem({.table_name = "T",
                                       .key = key_,
                                       .update_expression = "SET nsk = :v",
                                       .expression_attribute_values = AttributeValues{{":v", 2}}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(
      output.error().message,
      "One or more parameter values were invalid: Cannot update attribute nsk. This attribute "
      "is part of the key");
}

TEST_F(Items, DeleteReturnsTheOldItem) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"x", 1}});
  const DeleteItemInput input{
      .table_name = "T", .key = key_, .return_values = ReturnValues::kAllOld};
  EXPECT_EQ(Text(Must(db_->DeleteItem(input)).attributes), "{nsk: 1, pk: \"a\", x: 1}");
  EXPECT_EQ(Text(Must(db_->DeleteItem(input)).attributes), "none");
  EXPECT_EQ(Get(*db_, "T", key_), std::nullopt);
}

TEST_F(Items, FailedConditionChangesNothingAndShowsTheItem) {
  Put(*db_, "T", {{"pk", "a"}, {"nsk", 1}, {"x", 1}});
  const auto output =
      db_->PutItem({.table_name = "T",
                    .item = {{"pk", "a"}, {"nsk", 1}, {"x", 2}},
                    .condition_expression = "attribute_not_exists(pk)",
                    .return_values_on_condition_check_failure = ReturnValuesOnFailure::kAllOld});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(output.error().message, "The conditional request failed");
  const auto* detail = dynamic_cast<const ConditionFailureDetail*>(output.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(Text(detail->item), "{nsk: 1, pk: \"a\", x: 1}");
  EXPECT_EQ(Text(Get(*db_, "T", key_)), "{nsk: 1, pk: \"a\", x: 1}");
}

TEST_F(Items, ConditionOnAMissingItemSeesNoAttributes) {
  const auto output = db_->DeleteItem(
      {.table_name = "T", .key = key_, .condition_expression = "attribute_exists(pk)"});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(output.error().detail, nullptr);
}

TEST_F(Items, KeysThatDoNotFitTheSchemaAreRefused) {
  const std::vector<std::pair<Item, std::string>> cases = {
      {{{"pk", "a"}}, "The provided key element does not match the schema"},
      {{{"pk", "a"}, {"nsk", "1"}}, "The provided key element does not match the schema"},
      {{{"pk", "a"}, {"nsk", 1}, {"x", 1}}, "The provided key element does not match the schema"},
      {{{"pk", ""}, {"nsk", 1}},
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
  };
  for (const auto& [key, message] : cases) {
    const auto output = db_->GetItem({.table_name = "T", .key = key});
    ASSERT_FALSE(output.has_value()) << Text(key);
    EXPECT_EQ(output.error().message, message) << Text(key);
  }
}

TEST_F(Items, PutWithoutAKeyOrWithAWrongOneIsRefused) {
  const auto missing = db_->PutItem({.table_name = "T", .item = {{"pk", "a"}}});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message,
            "One or more parameter values were invalid: Missing the key nsk in the item");
  const auto wrong = db_->PutItem({.table_name = "T", .item = {{"pk", "a"}, {"nsk", "x"}}});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().message,
            "One or more parameter values were invalid: Type mismatch for key nsk expected: N "
            "actual: S");
}

TEST_F(Items, UnknownTableIsNotFound) {
  const auto output = db_->GetItem({.table_name = "Nowhere", .key = key_});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().code, ErrorCode::kResourceNotFound);
}

// ---- Limits at n - 1, n, n + 1

constexpr std::size_t kItemLimit = 400 * 1024;

// An item of exactly `size` bytes: names and values of pk (2 + 1), nsk (3 + 2), x (1 + the rest).
Item ItemOfSize(std::size_t size) {
  return {{"pk", "a"}, {"nsk", 1}, {"x", std::string(size - 9, 'x')}};
}

TEST_F(Items, PutStopsAtTheItemLimit) {
  for (const std::size_t size : {kItemLimit - 1, kItemLimit}) {
    EXPECT_TRUE(db_->PutItem({.table_name = "T", .item = ItemOfSize(size)}).has_value()) << size;
  }
  const auto over = db_->PutItem({.table_name = "T", .item = ItemOfSize(kItemLimit + 1)});
  ASSERT_FALSE(over.has_value());
  EXPECT_EQ(over.error().message, "Item size has exceeded the maximum allowed size");
}

TEST_F(Items, UpdateStopsAtTheItemLimit) {
  const auto grow_to = [&](std::size_t size) {
    return db_->UpdateItem(
        {.table_name = "T",
         .key = key_,
         .attribute_updates = AttributeUpdates{{"x", {.value = std::string(size - 9, 'x')}}}});
  };
  EXPECT_TRUE(grow_to(kItemLimit - 1).has_value());
  EXPECT_TRUE(grow_to(kItemLimit).has_value());
  const auto over = grow_to(kItemLimit + 1);
  ASSERT_FALSE(over.has_value());
  EXPECT_EQ(over.error().message, "Item size to update has exceeded the maximum allowed size");
}

// G31: 3 for the expression, 19 for SET, 1 for x, and the value.
TEST_F(Items, UpdateExpressionIsChargedAgainstTheItemLimit) {
  const auto set = [&](std::size_t value_bytes) {
    return db_->UpdateItem(
        {.table_name = "T",
         .key = key_,
         .update_expression = "SET x = :v",
         .condition_expression = "attribute_exists(never)",
         .expression_attribute_values = AttributeValues{{":v", std::string(value_bytes, 'x')}}});
  };
  EXPECT_EQ(set(kItemLimit - 24).error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(set(kItemLimit - 23).error().code, ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(set(kItemLimit - 22).error().message,
            "Item size to update has exceeded the maximum allowed size");
}

TEST(KeyLimits, PartitionKeyOf2048BytesAndSortKeyOf1024) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}, {"sk"}))));
  const auto put = [&](std::size_t pk, std::size_t sk) {
    return db
        ->PutItem({.table_name = "T",
                   .item = {{"pk", std::string(pk, 'p')}, {"sk", std::string(sk, 's')}}})
        .has_value();
  };
  EXPECT_TRUE(put(2047, 1023));
  EXPECT_TRUE(put(2048, 1024));
  EXPECT_FALSE(put(2049, 1024));
  EXPECT_FALSE(put(2048, 1025));
}

}  // namespace
}  // namespace prejoin
