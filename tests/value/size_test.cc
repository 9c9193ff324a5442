#include "value/size.h"

#include <gtest/gtest.h>

#include "tests/value/random_values.h"

namespace prejoin {
namespace {

using StringSet = AttributeValue::StringSet;
using NumberSet = AttributeValue::NumberSet;
using BinarySet = AttributeValue::BinarySet;
using Binary = AttributeValue::Binary;
using List = AttributeValue::List;

TEST(Size, FollowsAwsRules) {
  const struct {
    const char* what;
    Item item;
    std::size_t size;
  } cases[] = {
      {"empty item", {}, 0},
      {"name and string", {{"name", "Ada"}}, 7},
      {"empty string", {{"a", ""}}, 1},
      {"UTF-8 counts bytes, in names too", {{"\xC3\xA9", "\xE2\x82\xAC"}}, 5},
      {"binary counts raw bytes", {{"b", Binary{std::string(10, '\0')}}}, 11},
      {"number", {{"n", 1234}}, 4},
      {"negative number", {{"n", -1234}}, 5},
      {"boolean", {{"b", true}}, 2},
      {"null", {{"n", AttributeValue::Null{}}}, 2},
      {"empty list", {{"l", List{}}}, 4},
      {"empty map", {{"m", Item{}}}, 4},
      {"list", {{"l", List{"ab", true}}}, 1 + 3 + (1 + 2) + (1 + 1)},
      {"map", {{"m", Item{{"key", "ab"}}}}, 1 + 3 + (1 + 3 + 2)},
      {"nested", {{"m", Item{{"l", List{List{}}}}}}, 1 + 3 + (1 + 1 + 3 + (1 + 3))},
      {"string set", {{"s", StringSet{{"ab", "c"}}}}, 4},
      {"number set", {{"s", NumberSet{{Number(1), Number(100)}}}}, 5},
      {"binary set", {{"s", BinarySet{{"abc"}}}}, 4},
  };
  for (const auto& [what, item, size] : cases) {
    EXPECT_EQ(ItemSizeBytes(item), size) << what;
    EXPECT_EQ(ItemSizeBytes(ItemView(EncodeItem(item))), size) << what;
  }
}

// A list of 500 strings of two bytes takes two write units on AWS: only with a byte for each
// element it exceeds 1024.
TEST(Size, CountsAByteForEachElement) {
  const Item item{{"pk", "p"}, {"l", List(500, "aa")}};
  EXPECT_EQ(ItemSizeBytes(item), 3U + 1 + 3 + 500 * 3);
}

TEST(Size, AgreesBetweenBothForms) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int i = 0; i < 1'000; ++i) {
    const Item item = random.NextItem(4);
    const std::string body = EncodeItem(item);
    ASSERT_EQ(ItemSizeBytes(item), ItemSizeBytes(ItemView(body)));
  }
}

}  // namespace
}  // namespace prejoin
