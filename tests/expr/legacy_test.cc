#include "expr/legacy.h"

#include "expr/evaluate.h"
#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

using Value = AttributeValue;
using Operator = LegacyOperator;

Item MakeItem() {
  return {{"s", "hello"}, {"n", 5}, {"ss", Value::StringSet{{"a", "b"}}}, {"lst", Value::List{1}}};
}

bool FilterHolds(const LegacyConditions& conditions,
                 std::optional<ConditionalOperator> conditional_operator = std::nullopt) {
  const auto condition = FromFilter(conditions, conditional_operator);
  EXPECT_TRUE(condition.has_value()) << condition.error().message;
  const std::string body = EncodeItem(MakeItem());
  return Evaluate(**condition, ItemView(body));
}

TEST(LegacyFilter, Holds) {
  const LegacyConditions cases[] = {
      {{"s", {Operator::kEq, {"hello"}}}},
      {{"ss", {Operator::kEq, {Value::StringSet{{"b", "a"}}}}}},
      {{"s", {Operator::kNe, {"x"}}}},
      {{"gone", {Operator::kNe, {"x"}}}},
      {{"n", {Operator::kLe, {5}}}},
      {{"n", {Operator::kLt, {6}}}},
      {{"n", {Operator::kGe, {5}}}},
      {{"n", {Operator::kGt, {4}}}},
      {{"n", {Operator::kBetween, {5, 6}}}},
      {{"n", {Operator::kIn, {1, 5}}}},
      {{"n", {Operator::kNotNull, {}}}},
      {{"gone", {Operator::kNull, {}}}},
      {{"s", {Operator::kContains, {"ell"}}}},
      {{"ss", {Operator::kContains, {"a"}}}},
      {{"lst", {Operator::kContains, {1}}}},
      {{"s", {Operator::kNotContains, {"x"}}}},
      {{"s", {Operator::kBeginsWith, {"he"}}}},
  };
  for (const LegacyConditions& conditions : cases) {
    EXPECT_TRUE(FilterHolds(conditions)) << Print(**FromFilter(conditions, std::nullopt));
  }
}

TEST(LegacyFilter, DoesNotHold) {
  const LegacyConditions cases[] = {
      {{"s", {Operator::kEq, {"x"}}}},
      {{"n", {Operator::kEq, {"5"}}}},
      {{"s", {Operator::kNe, {"hello"}}}},
      {{"n", {Operator::kLt, {"9"}}}},
      {{"n", {Operator::kBetween, {6, 7}}}},
      {{"n", {Operator::kIn, {1, 2}}}},
      {{"gone", {Operator::kIn, {1, 2}}}},
      {{"gone", {Operator::kNotNull, {}}}},
      {{"n", {Operator::kNull, {}}}},
      {{"s", {Operator::kNotContains, {"ell"}}}},
      {{"gone", {Operator::kContains, {"x"}}}},
      {{"gone", {Operator::kNotContains, {"x"}}}},  // Unlike NE.
      {{"n", {Operator::kBeginsWith, {"5"}}}},
  };
  for (const LegacyConditions& conditions : cases) {
    EXPECT_FALSE(FilterHolds(conditions)) << Print(**FromFilter(conditions, std::nullopt));
  }
}

TEST(LegacyFilter, JoinsConditions) {
  const LegacyConditions one_of_two = {{"n", {Operator::kEq, {5}}}, {"s", {Operator::kEq, {"x"}}}};
  EXPECT_FALSE(FilterHolds(one_of_two));
  EXPECT_FALSE(FilterHolds(one_of_two, ConditionalOperator::kAnd));
  EXPECT_TRUE(FilterHolds(one_of_two, ConditionalOperator::kOr));
  EXPECT_FALSE(FromFilter({}, std::nullopt)->has_value());
}

TEST(LegacyFilter, RefusesArguments) {
  const struct {
    Operator comparison;
    std::vector<Value> values;
    std::string message;
  } cases[] = {
      {Operator::kEq, {}, "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Operator::kEq, {"a", "b"}, "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Operator::kNull, {"a"}, "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {Operator::kIn, {}, "Invalid number of argument(s) for the IN ComparisonOperator"},
      {Operator::kBetween,
       {"a"},
       "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Operator::kBetween,
       {"a", "b", "c"},
       "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Operator::kIn, {"a", 1}, "AttributeValues inside AttributeValueList must be of same type"},
      {Operator::kLt, {true}, "ComparisonOperator LT is not valid for BOOL AttributeValue type"},
      {Operator::kIn,
       {Value::List{}},
       "ComparisonOperator IN is not valid for L AttributeValue type"},
      {Operator::kContains,
       {Value::StringSet{{"a"}}},
       "ComparisonOperator CONTAINS is not valid for SS AttributeValue type"},
      {Operator::kNotContains,
       {Item{}},
       "ComparisonOperator NOT_CONTAINS is not valid for M AttributeValue type"},
      {Operator::kBeginsWith,
       {1},
       "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
  };
  for (const auto& [comparison, values, message] : cases) {
    const auto result = FromFilter({{"a", {comparison, values}}}, std::nullopt);
    ASSERT_FALSE(result.has_value()) << message;
    EXPECT_EQ(result.error().message, "One or more parameter values were invalid: " + message);
  }
  EXPECT_EQ(FromFilter({{"a", {Operator::kBetween, {2, 1}}}}, std::nullopt).error().message,
            "The BETWEEN condition was provided a range where the lower bound is greater than the "
            "upper bound");
}

TEST(LegacyFilter, RefusesAConditionalOperatorWithNothingToJoin) {
  EXPECT_EQ(FromFilter({}, ConditionalOperator::kOr).error().message,
            "ConditionalOperator cannot be used without Filter or Expected");
  EXPECT_EQ(
      FromFilter({{"a", {Operator::kNull, {}}}}, ConditionalOperator::kAnd).error().message,
      "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  EXPECT_EQ(FromExpected({}, ConditionalOperator::kOr).error().message,
            "ConditionalOperator cannot be used without Filter or Expected");
}

std::string ShowExpected(const ExpectedAttribute& expected) {
  const auto condition = FromExpected({{"a", expected}}, std::nullopt);
  return condition.has_value() ? Print(**condition) : condition.error().message;
}

TEST(LegacyExpected, BecomesConditions) {
  EXPECT_EQ(ShowExpected({.value = Value("v")}), "(= a :S)");
  EXPECT_EQ(ShowExpected({.exists = true, .value = Value("v")}), "(= a :S)");
  EXPECT_EQ(ShowExpected({.exists = false}), "(attribute_not_exists a)");
  EXPECT_EQ(ShowExpected({.comparison = Operator::kGe, .values = {{Value(1)}}}), "(>= a :N)");
  EXPECT_EQ(ShowExpected({.comparison = Operator::kGe, .value = Value(1)}), "(>= a :N)");
  EXPECT_EQ(ShowExpected({.comparison = Operator::kNull}), "(attribute_not_exists a)");
  EXPECT_EQ(ShowExpected({.comparison = Operator::kNotNull, .values = std::vector<Value>()}),
            "(attribute_exists a)");
}

TEST(LegacyExpected, Refuses) {
  const struct {
    ExpectedAttribute expected;
    std::string message;
  } cases[] = {
      {{}, "Value must be provided when Exists is null for Attribute: a"},
      {{.exists = true}, "Value must be provided when Exists is true for Attribute: a"},
      {{.exists = false, .value = Value(1)},
       "Value cannot be used when Exists is false for Attribute: a"},
      {{.comparison = Operator::kEq, .exists = false},
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {{.comparison = Operator::kLt},
       "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a"},
      {{.values = {{Value(1)}}},
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {{.comparison = Operator::kEq, .values = {{Value(1)}}, .value = Value(1)},
       "Value and AttributeValueList cannot be used together for Attribute: a"},
      {{.comparison = Operator::kNull, .value = Value(1)},
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {{.comparison = Operator::kBetween, .value = Value(1)},
       "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
  };
  for (const auto& [expected, message] : cases) {
    EXPECT_EQ(ShowExpected(expected), "One or more parameter values were invalid: " + message);
  }
}

// As many as fit into a request: no chain, which would be walked as deep as it is long.
TEST(LegacyFilter, MayHaveAsManyConditionsAsARequestHolds) {
  LegacyConditions conditions;
  for (int i = 0; i < 300'000; ++i) {
    conditions["no" + std::to_string(i)] = {Operator::kNull, {}};
  }
  EXPECT_TRUE(FilterHolds(conditions));
}

TEST(LegacyAttributesToGet, BecomesAProjection) {
  EXPECT_EQ(Print(*FromAttributesToGet({"b", "a.b", "a"})), "a a.b b");
  const Item item = {{"a", Item{{"b", 1}}}, {"a.b", 2}, {"c", 3}};
  const std::string body = EncodeItem(item);
  const std::string projected = Project(*FromAttributesToGet({"a.b"}), ItemView(body));
  EXPECT_EQ(ItemView(projected).Decode(), (Item{{"a.b", 2}}));
  EXPECT_EQ(FromAttributesToGet({"a", "b", "a"}).error().message,
            "One or more parameter values were invalid: Duplicate value in attribute name: a");
}

}  // namespace
}  // namespace prejoin::expr
