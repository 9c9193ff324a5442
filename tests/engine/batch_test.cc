// BatchGetItem and BatchWriteItem.
#include "engine/engine_of.h"
#include "engine/ops/operations.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class Batches : public testing::Test {
 protected:
  Batches() {
    Must(db_->CreateTable(MakeTable("A", Keys({"pk"}))));
    Must(db_->CreateTable(MakeTable("B", Keys({"pk"}, {"nk"}))));
  }
  std::unique_ptr<Database> db_ = OpenInMemory();
  engine::RequestContext context_;
};

TEST_F(Batches, WritesPutsAndDeletesOverTables) {
  Put(*db_, "A", {{"pk", "old"}});
  const auto output =
      Must(db_->BatchWriteItem({.request_items = {{"A",
                                                   {{.put = Item{{"pk", "new"}, {"x", 1}}},
                                                    {.remove = Item{{"pk", "old"}}}}},
                                                  {"B", {{.put = Item{{"pk", "b"}, {"nk", 1}}}}}},
                                .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_TRUE(output.unprocessed_items.empty());
  ASSERT_EQ(output.consumed_capacity.size(), 2u);
  EXPECT_EQ(output.consumed_capacity[0].total.total, 2);
  EXPECT_EQ(output.consumed_capacity[1].total.total, 1);
  EXPECT_EQ(Text(Get(*db_, "A", {{"pk", "new"}})), "{pk: \"new\", x: 1}");
  EXPECT_EQ(Get(*db_, "A", {{"pk", "old"}}), std::nullopt);
  EXPECT_NE(Get(*db_, "B", {{"pk", "b"}, {"nk", 1}}), std::nullopt);
}

TEST_F(Batches, WriteRefusesTheSameItemTwice) {
  const auto output = db_->BatchWriteItem(
      {.request_items = {{"A", {{.put = Item{{"pk", "x"}}}, {.remove = Item{{"pk", "x"}}}}}}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message, "Provided list of item keys contains duplicates");
}

TEST_F(Batches, OneBadItemRefusesAllAndWritesNothing) {
  const auto output = db_->BatchWriteItem(
      {.request_items = {{"A", {{.put = Item{{"pk", "good"}}}, {.put = Item{{"pk", 1}}}}}}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(Get(*db_, "A", {{"pk", "good"}}), std::nullopt);
}

TEST_F(Batches, GetCountsKeysOverAllTables) {
  BatchGetItemInput input;
  for (int i = 0; i < 60; ++i) {
    input.request_items["A"].keys.push_back({{"pk", std::to_string(i)}});
    if (i < 40) {
      input.request_items["B"].keys.push_back({{"pk", std::to_string(i)}, {"nk", i}});
    }
  }
  EXPECT_TRUE(engine::BatchGetItem(engine::EngineOf(*db_), context_, input).has_value());
  input.request_items["B"].keys.push_back({{"pk", "more"}, {"nk", 1}});
  const auto output = engine::BatchGetItem(engine::EngineOf(*db_), context_, input);
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message, "Too many items requested for the BatchGetItem call");
}

TEST_F(Batches, GetFindsWhatIsThere) {
  Put(*db_, "A", {{"pk", "1"}, {"x", 1}, {"y", 1}});
  Put(*db_, "A", {{"pk", "2"}, {"x", 2}});
  Put(*db_, "B", {{"pk", "b"}, {"nk", 1}});
  const auto output = Must(db_->BatchGetItem(
      {.request_items = {{"A",
                          {.keys = {{{"pk", "2"}}, {{"pk", "nothing"}}, {{"pk", "1"}}},
                           .projection_expression = "x"}},
                         {"B", {.keys = {{{"pk", "b"}, {"nk", 1}}}, .consistent_read = true}}},
       .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_EQ(Text(output.responses.at("A")), "{x: 2}\n{x: 1}");
  EXPECT_EQ(Text(output.responses.at("B")), "{nk: 1, pk: \"b\"}");
  EXPECT_TRUE(output.unprocessed_keys.empty());
  ASSERT_EQ(output.consumed_capacity.size(), 2u);
  EXPECT_EQ(output.consumed_capacity[0].total.total, 1.5);
  EXPECT_EQ(output.consumed_capacity[1].total.total, 1);
}

TEST_F(Batches, GetRefusesTheSameKeyTwice) {
  const auto output =
      db_->BatchGetItem({.request_items = {{"A", {.keys = {{{"pk", "1"}}, {{"pk", "1"}}}}}}});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message, "Provided list of item keys contains duplicates");
}

TEST_F(Batches, GetPutsOffWhatPassesSixteenMegabytes) {
  KeysAndAttributes request;
  // 50 items of 400 KB: 40 and a bit fit into 16 MB.
  for (int i = 10; i < 60; ++i) {
    const std::string pk = std::to_string(i);
    Put(*db_, "A", {{"pk", pk}, {"x", std::string(400 * 1024 - 5, 'x')}});
    request.keys.push_back({{"pk", pk}});
  }
  std::size_t got = 0;
  std::size_t first_answer = 0;
  for (int round = 0; round < 3 && !request.keys.empty(); ++round) {
    const auto output = Must(db_->BatchGetItem({.request_items = {{"A", request}}}));
    got += output.responses.at("A").size();
    first_answer = round == 0 ? got : first_answer;
    request.keys.clear();
    if (const auto rest = output.unprocessed_keys.find("A");
        rest != output.unprocessed_keys.end()) {
      request.keys = rest->second.keys;
    }
  }
  EXPECT_EQ(first_answer, 40u);
  EXPECT_EQ(got, 50u);
}

}  // namespace
}  // namespace prejoin
