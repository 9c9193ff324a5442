// The work of an expression is linear in what was sent and in what is stored.
#include <ctime>

#include "base/limits.h"
#include "expr/evaluate.h"
#include "expr/parse.h"

namespace prejoin::expr {
namespace {

// Processor time, so that a busy machine does not count.
template <class Work>
double SecondsOf(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(LinearWork, UsesOfAPlaceholderShareItsValue) {
  const AttributeValues values = {{":v", std::string(1'000'000, 'x')}};
  Placeholders placeholders(nullptr, &values);
  std::string text = "a IN (:v";
  for (int i = 1; i < kInOperandsMax; ++i) {
    text += ", :v";
  }
  const auto condition = ParseCondition(ConditionKind::kFilter, text + ")", placeholders);
  ASSERT_TRUE(condition.has_value()) << condition.error().message;
  const auto& candidates = std::get<In>(condition->node).candidates;
  ASSERT_EQ(candidates.size(), 100u);
  for (const Operand& candidate : candidates) {
    EXPECT_EQ(std::get<Literal>(candidate).bound, std::get<Literal>(candidates[0]).bound);
  }
}

TEST(LinearWork, OperandsPastTheLimitAreCountedButNotKept) {
  const AttributeValues values = {{":v", std::string(1'000'000, 'x')}};
  Placeholders placeholders(nullptr, &values);
  std::string text = "a IN (:v";
  for (int i = 1; i < 1'300; ++i) {
    text += ",:v";
  }
  const double seconds = SecondsOf([&] {
    const auto condition = ParseCondition(ConditionKind::kFilter, text + ")", placeholders);
    ASSERT_FALSE(condition.has_value());
    EXPECT_EQ(condition.error().message,
              "Invalid FilterExpression: The IN operator is provided with too many operands; "
              "number of operands: 1300");
  });
  EXPECT_LT(seconds, 0.2);  // 1,300 copies take seconds and gigabytes.
}

TEST(LinearWork, ContainsOnRepetitiveText) {
  const AttributeValues values = {{":part", std::string(150'000, 'a') + "b"}};
  Placeholders placeholders(nullptr, &values);
  const auto condition = ParseCondition(ConditionKind::kFilter, "contains(t, :part)", placeholders);
  ASSERT_TRUE(condition.has_value());
  const std::string body = EncodeItem(Item{{"t", std::string(400'000, 'a')}});
  const double seconds = SecondsOf([&] { EXPECT_FALSE(Evaluate(*condition, ItemView(body))); });
  EXPECT_LT(seconds, 0.1);
}

TEST(LinearWork, ContainsFindsWhatIsThere) {
  const AttributeValues values = {{":none", ""}, {":end", "ab"}, {":all", "aaab"}, {":no", "ba"}};
  const std::string body = EncodeItem(Item{{"t", "aaab"}, {"e", ""}});
  const auto holds = [&](std::string_view text) {
    Placeholders placeholders(nullptr, &values);
    const auto condition = ParseCondition(ConditionKind::kFilter, text, placeholders);
    return condition.has_value() && Evaluate(*condition, ItemView(body));
  };
  EXPECT_TRUE(holds("contains(t, :none)"));
  EXPECT_TRUE(holds("contains(e, :none)"));
  EXPECT_TRUE(holds("contains(t, :end)"));
  EXPECT_TRUE(holds("contains(t, :all)"));
  EXPECT_FALSE(holds("contains(t, :no)"));
  EXPECT_FALSE(holds("contains(e, :end)"));
}

TEST(LinearWork, ManyPathsIntoAWideItem) {
  Item item;
  AttributeValue::List list;
  std::string many;
  item.Reserve(40'000);
  for (int i = 0; i < 40'000; ++i) {
    item.Set("n" + std::to_string(100'000 + i), true);
    list.emplace_back(true);
  }
  item.Set("z", std::move(list));
  for (int i = 0; i < 400; ++i) {
    many += "n" + std::to_string(139'599 + i) + ",";
  }
  const std::string body = EncodeItem(item);
  const auto seconds_of = [&](const std::string& text) {
    Placeholders placeholders(nullptr, nullptr);
    const auto projection = ParseProjection(text, placeholders);
    EXPECT_TRUE(projection.has_value()) << projection.error().message;
    return SecondsOf([&] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(ItemView(Project(*projection, ItemView(body))).empty());
      }
    });
  };
  const double one = seconds_of("z[39999]") + 0.001;
  EXPECT_LT(seconds_of(many + "z[39999]"), 20 * one);
  std::string positions = "z[39999]";
  for (int i = 0; i < 400; ++i) {
    positions += ",z[" + std::to_string(39'000 + i) + "]";
  }
  EXPECT_LT(seconds_of(positions), 20 * one);
}

// What an update does to an item, with names or positions far from the end.
double SecondsOfUpdate(const std::string& text, const Item& item, Item& result) {
  const AttributeValues values = {{":v", 1}};
  Placeholders placeholders(nullptr, &values);
  const auto update = ParseUpdate(text, placeholders);
  EXPECT_TRUE(update.has_value()) << update.error().message;
  return SecondsOf([&] { result = ApplyUpdate(*update, item)->item; });
}

TEST(LinearWork, ManyChangesOfAWideItem) {
  Item item;
  AttributeValue::List list;
  item.Reserve(40'000);
  for (int i = 0; i < 40'000; ++i) {
    item.Set("n" + std::to_string(100'000 + i), true);
    list.emplace_back(i);
  }
  item.Set("z", list);
  Item result;
  const double one = SecondsOfUpdate("SET a0 = :v", item, result) + 0.001;
  std::string sets = "SET b = :v";
  std::string removes = " REMOVE n139999";
  std::string positions = "REMOVE z[39999]";
  for (int i = 0; i < 200; ++i) {
    sets += ",a" + std::to_string(i) + "=:v";
    removes += ",n" + std::to_string(100'000 + i);
    positions += ",z[" + std::to_string(2 * i) + "]";
  }
  EXPECT_LT(SecondsOfUpdate(sets + removes, item, result), 20 * one);
  EXPECT_EQ(result.size(), 40'001u + 201 - 201);
  EXPECT_NE(result.Find("a199"), nullptr);
  EXPECT_EQ(result.Find("n100199"), nullptr);
  EXPECT_NE(result.Find("n100200"), nullptr);
  EXPECT_LT(SecondsOfUpdate(positions, item, result), 20 * one);
  const auto& left = *result.Find("z")->list();
  ASSERT_EQ(left.size(), 40'000u - 201);
  EXPECT_EQ(left[0], AttributeValue(1));
  EXPECT_EQ(left[199], AttributeValue(399));
  EXPECT_EQ(left[200], AttributeValue(400));
  EXPECT_EQ(left.back(), AttributeValue(39'998));
}

TEST(LinearWork, SubstitutedValuesHaveALimit) {
  const AttributeNames names = {{"#n", "name"}};  // 6 bytes, and ":a" has 2.
  const AttributeValues fitting = {{":a", std::string(kSubstitutionBytesMax - 8, 'x')}};
  const AttributeValues too_large = {{":a", std::string(kSubstitutionBytesMax - 7, 'x')}};
  EXPECT_TRUE(Placeholders(&names, &fitting).CheckSyntax(true).has_value());
  EXPECT_TRUE(Placeholders(nullptr, &too_large).CheckSyntax(true).has_value());
  EXPECT_FALSE(Placeholders(&names, &too_large).CheckSyntax(true).has_value());
}

}  // namespace
}  // namespace prejoin::expr
