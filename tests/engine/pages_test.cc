// A range over all pages of a Query or Scan.
#include "prejoin/pages.h"

#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class PagesTest : public testing::Test {
 protected:
  PagesTest() : db_(*Database::Open({})) {
    EXPECT_TRUE(db_->CreateTable({.table_name = "T",
                                  .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
                                  .attribute_definitions = {{"pk"}, {"sk", ScalarType::kNumber}},
                                  .billing_mode = BillingMode::kPayPerRequest}));
    for (int i = 0; i < 25; ++i) {
      EXPECT_TRUE(db_->PutItem({.table_name = "T", .item = {{"pk", "a"}, {"sk", i}}}));
    }
  }

  std::unique_ptr<Database> db_;
};

TEST_F(PagesTest, AQueryGivesAllItemsInOrder) {
  for (const int limit : {1, 7, 25, 100}) {
    ItemRange items(*db_, QueryInput{.table_name = "T",
                                     .key_condition_expression = "pk = :p",
                                     .expression_attribute_values = AttributeValues{{":p", "a"}},
                                     .limit = limit});
    std::int64_t next = 0;
    for (const StoredItem& item : items) {
      EXPECT_EQ(*item.Find("sk"), AttributeValue(next++));
    }
    EXPECT_EQ(next, 25) << limit;
    EXPECT_TRUE(items.status());
  }
}

TEST_F(PagesTest, PagesWithoutItemsAreNotTheEnd) {
  ItemRange items(*db_,
                  ScanInput{.table_name = "T",
                            .filter_expression = "sk IN (:a, :b)",
                            .expression_attribute_values = AttributeValues{{":a", 3}, {":b", 20}},
                            .limit = 1});
  std::vector<AttributeValue> seen;
  for (const StoredItem& item : items) {
    seen.push_back(*item.Find("sk"));
  }
  EXPECT_EQ(seen, (std::vector<AttributeValue>{3, 20}));
}

TEST_F(PagesTest, AnErrorEndsTheRange) {
  ItemRange items(*db_, ScanInput{.table_name = "Nowhere"});
  int count = 0;
  for (const StoredItem& item : items) {
    count += item.body().empty() ? 0 : 1;
  }
  EXPECT_EQ(count, 0);
  ASSERT_FALSE(items.status());
  EXPECT_EQ(items.status().error().code, ErrorCode::kResourceNotFound);
}

}  // namespace
}  // namespace prejoin
