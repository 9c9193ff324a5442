// Keys that are taken in a large proof, without the keys themselves.
#include "model/prove/trial/taken_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace prejoin::model {
namespace {

Entity Seats() {
  Entity entity;
  for (const char* name : {"row", "number", "colour"}) {
    Attribute attribute;
    attribute.name.text = name;
    attribute.is_key = attribute.name.text != "colour";
    entity.attributes.push_back(attribute);
  }
  return entity;
}

Row Seat(const std::string& row, int number, const std::string& colour = "red") {
  Row seat;
  seat.Set("row", AttributeValue(row));
  seat.Set("number", AttributeValue(Number(number)));
  seat.Set("colour", AttributeValue(colour));
  return seat;
}

TEST(TakenKeys, ContainTheKeysOfAllLists) {
  std::vector<Row> rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back(Seat("A", i));
  }
  const std::vector<Row> others = {Seat("B", 7)};
  const TakenKeys taken(Seats(), {&rows, &others});
  for (const Row& row : rows) {
    EXPECT_TRUE(taken.Contain(row));
  }
  EXPECT_TRUE(taken.Contain(Seat("B", 7, "blue")));
  EXPECT_FALSE(taken.Contain(Seat("B", 6)));
  EXPECT_FALSE(taken.Contain(Seat("A", 100)));
  EXPECT_FALSE(TakenKeys(Seats(), {}).Contain(Seat("A", 1)));
}

TEST(SameTuple, ComparesTheNamedAttributesOnly) {
  const std::vector<std::string> key = {"row", "number"};
  EXPECT_TRUE(SameTuple(Seat("A", 1, "red"), Seat("A", 1, "blue"), key));
  EXPECT_FALSE(SameTuple(Seat("A", 1), Seat("A", 2), key));
  EXPECT_FALSE(SameTuple(Seat("A", 1), Seat("B", 1), key));
  EXPECT_TRUE(SameTuple(Seat("A", 1), Seat("B", 2), {}));
}

TEST(SameTuple, TakesAbsentValuesForAlike) {
  Row without = Seat("A", 1);
  without.Remove("number");
  EXPECT_TRUE(SameTuple(without, without, {"row", "number"}));
  EXPECT_FALSE(SameTuple(without, Seat("A", 1), {"row", "number"}));
}

}  // namespace
}  // namespace prejoin::model
