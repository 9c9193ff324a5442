#include "prejoin/item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/encoding.h"

namespace prejoin {
namespace {

using StringSet = AttributeValue::StringSet;
using NumberSet = AttributeValue::NumberSet;
using BinarySet = AttributeValue::BinarySet;
using Binary = AttributeValue::Binary;
using List = AttributeValue::List;

std::vector<std::string> Names(const Item& item) {
  std::vector<std::string> names;
  for (const auto& [name, value] : item) {
    names.push_back(name);
  }
  return names;
}

TEST(Item, KeepsNamesInBytewiseOrder) {
  const Item item{{"b", 1}, {"a", 2}, {"\xC3\xA9", 3}, {"B", 4}, {"aa", 5}, {"", 6}};
  EXPECT_THAT(Names(item), testing::ElementsAre("", "B", "a", "aa", "b", "\xC3\xA9"));
}

TEST(Item, SetAddsOrReplaces) {
  Item item;
  EXPECT_TRUE(item.empty());
  item.Set("k", 1);
  item.Set("a", 2);
  item.Set("k", "three");
  EXPECT_EQ(item.size(), 2U);
  EXPECT_EQ(*item.Find("k"), AttributeValue("three"));
  EXPECT_EQ(*item.Find("a"), AttributeValue(2));
  EXPECT_EQ(item.Find("b"), nullptr);
}

TEST(Item, LastOfEqualNamesWins) { EXPECT_EQ((Item{{"a", 1}, {"a", 2}}), (Item{{"a", 2}})); }

TEST(Item, RemoveSaysWhetherTheAttributeWasThere) {
  Item item{{"a", 1}, {"b", 2}};
  EXPECT_TRUE(item.Remove("a"));
  EXPECT_FALSE(item.Remove("a"));
  EXPECT_THAT(Names(item), testing::ElementsAre("b"));
}

TEST(Item, ValuesCanBeChangedInPlace) {
  Item item{{"map", Item{{"list", List{1, 2}}}}};
  item.Find("map")->map()->Find("list")->list()->push_back(3);
  EXPECT_EQ(item, (Item{{"map", Item{{"list", List{1, 2, 3}}}}}));
}

TEST(AttributeValue, EqualityFollowsDynamoDb) {
  const Number one(1);
  const Number two(2);
  const struct {
    AttributeValue a;
    AttributeValue b;
    bool equal;
  } cases[] = {
      {"1", 1, false},
      {"a", Binary{"a"}, false},
      {"a", "a", true},
      {Number::Parse("1.0").value(), 1, true},
      {true, true, true},
      {true, false, false},
      {AttributeValue::Null{}, AttributeValue::Null{}, true},
      {AttributeValue::Null{}, false, false},
      {List{1, 2}, List{1, 2}, true},
      {List{1, 2}, List{2, 1}, false},
      {List{1, 2}, List{1}, false},
      {Item{{"a", 1}, {"b", 2}}, Item{{"b", 2}, {"a", 1}}, true},
      {Item{{"a", 1}}, Item{{"a", 2}}, false},
      {Item{{"a", 1}}, Item{{"b", 1}}, false},
      {Item{}, List{}, false},
      {StringSet{{"a", "b"}}, StringSet{{"b", "a"}}, true},
      {StringSet{{"a", "b"}}, StringSet{{"a", "c"}}, false},
      {StringSet{{"a", "b"}}, StringSet{{"a"}}, false},
      {StringSet{{"a"}}, BinarySet{{"a"}}, false},
      {NumberSet{{one, two}}, NumberSet{{two, one}}, true},
      {NumberSet{{one}}, NumberSet{{two}}, false},
      {BinarySet{{"a", "b"}}, BinarySet{{"b", "a"}}, true},
      {List{StringSet{{"a", "b"}}}, List{StringSet{{"b", "a"}}}, true},
  };
  int index = 0;
  for (const auto& [a, b, equal] : cases) {
    SCOPED_TRACE(index++);
    EXPECT_EQ(a == b, equal);
    EXPECT_EQ(b == a, equal);
    // The stored form must not differ in opinion.
    std::string a_bytes;
    std::string b_bytes;
    EncodeValue(a, a_bytes);
    EncodeValue(b, b_bytes);
    EXPECT_EQ(Equal(ValueView(a_bytes.data()), ValueView(b_bytes.data())), equal);
  }
}

TEST(StoredItem, FindsAndDecodes) {
  const Item item{{"pk", "user#1"}, {"age", 30}};
  const StoredItem stored(EncodeItem(item));
  EXPECT_EQ(stored.Decode(), item);
  EXPECT_EQ(stored.Find("age"), AttributeValue(30));
  EXPECT_EQ(stored.Find("name"), std::nullopt);
  EXPECT_EQ(StoredItem().Decode(), Item());
  EXPECT_EQ(StoredItem().Find("pk"), std::nullopt);
}

}  // namespace
}  // namespace prejoin
