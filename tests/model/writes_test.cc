// The public header prejoin/model.h on a real database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prejoin/database.h"
#include "prejoin/model.h"
#include "tests/model/example_files.h"

namespace prejoin {
namespace {

Design School() {
  auto design = Design::Parse(model::ReadFileForTesting(
      PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin"));
  EXPECT_TRUE(design.has_value());
  return *std::move(design);
}

TEST(Design, RendersAllKeysOfAnItem) {
  const auto item = School().MakeItem("Enrollment", {{"studentId", "a91"},
                                                     {"courseId", "math204"},
                                                     {"enrolledOn", "2024-03-01"},
                                                     {"grade", "A"}});
  ASSERT_TRUE(item.has_value());
  EXPECT_EQ(*item, (Item{{"PK", "STU#a91"},
                         {"SK", "ENROLL#CRS#math204"},
                         {"GSI1PK", "CRS#math204"},
                         {"GSI1SK", "STU#a91"},
                         {"enrolledOn", "2024-03-01"},
                         {"grade", "A"}}));
}

TEST(Design, RefusesUnknownNamesAndMissingKeys) {
  const Design design = School();
  EXPECT_THAT(design.MakeItem("Enrolment", {}).error().message,
              ::testing::HasSubstr("did you mean `Enrollment`?"));
  EXPECT_THAT(design.MakeItem("Student", {{"id", "x"}, {"nme", "y"}}).error().message,
              ::testing::HasSubstr("did you mean `name`?"));
  EXPECT_FALSE(design.MakeKey("Enrollment", {{"studentId", "a91"}}).has_value());
  EXPECT_FALSE(design.MakeKey("Student", {{"id", ""}}).has_value());
}

TEST(Design, APutOnceIsRefusedTheSecondTimeAndACollectionReadsIntoTypedRows) {
  const Design design = School();
  auto database = Database::Open({.path = ""});
  ASSERT_TRUE(database.has_value());
  for (const CreateTableInput& table : design.Tables()) {
    ASSERT_TRUE((*database)->CreateTable(table).has_value());
  }
  ASSERT_TRUE(
      (*database)
          ->PutItem(*design.MakePut("Student", {{"id", "a91"}, {"name", "Ada"}, {"year", 2}}))
          .has_value());
  const auto enrol = design.MakePut(
      "Enrollment", {{"studentId", "a91"}, {"courseId", "cs101"}, {"enrolledOn", "2024-03-01"}},
      {.once = true});
  ASSERT_TRUE((*database)->PutItem(*enrol).has_value());
  EXPECT_EQ((*database)->PutItem(*enrol).error().code, ErrorCode::kConditionalCheckFailed);

  QueryInput query;
  query.table_name = "School";
  query.key_condition_expression = "PK = :p";
  query.expression_attribute_values = AttributeValues{{":p", "STU#a91"}};
  std::vector<Item> items;
  const auto page = (*database)->Query(query);
  ASSERT_TRUE(page.has_value());
  for (const StoredItem& item : page->items) {
    items.push_back(item.Decode());
  }
  const std::vector<TypedRow> rows = design.ReadCollection("School", items);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].entity, "Enrollment");
  EXPECT_EQ(*rows[0].attributes.Find("courseId"), AttributeValue("cs101"))
      << "read back from the key";
  EXPECT_EQ(rows[1].entity, "Student");
  EXPECT_EQ(*rows[1].attributes.Find("year"), AttributeValue(2));
}

TEST(Design, AnUpdateRendersTheIndexKeysThatDependOnIt) {
  auto design = Design::Parse(
      model::ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d10_shop_items.prejoin"));
  ASSERT_TRUE(design.has_value());
  Item before{{"ItemId", "i1"},  {"Shop", "s"},        {"Status", "AVAILABLE"},
              {"Category", "A"}, {"SubCategory", "B"}, {"CreatedDate", "2024-01-01T00:00:00Z"},
              {"Title", "Lamp"}};
  Item after = before;
  after.Set("Status", "SOLD");
  auto database = Database::Open({.path = ""});
  ASSERT_TRUE(database.has_value());
  for (const CreateTableInput& table : design->Tables()) {
    ASSERT_TRUE((*database)->CreateTable(table).has_value());
  }
  ASSERT_TRUE((*database)->PutItem(*design->MakePut("Item", before)).has_value());
  ASSERT_TRUE((*database)->UpdateItem(*design->MakeUpdate("Item", before, after)).has_value());
  GetItemInput get;
  get.table_name = "ShopItems";
  get.key = *design->MakeKey("Item", after);
  const Item stored = (*database)->GetItem(get)->item->Decode();
  EXPECT_EQ(stored, *design->MakeItem("Item", after));
  EXPECT_EQ(*stored.Find("GSI2SK"), AttributeValue("SOLD#A#2024-01-01T00:00:00Z"));
  after.Set("ItemId", "i2");
  EXPECT_FALSE(design->MakeUpdate("Item", before, after).has_value()) << "the key would change";
}

}  // namespace
}  // namespace prejoin
