#include "expr/reserved_words.h"
#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

std::string Syntax(const AttributeNames* names, const AttributeValues* values,
                   bool any_expression = true) {
  const Status status = Placeholders(names, values).CheckSyntax(any_expression);
  return status.has_value() ? "" : status.error().message;
}

std::string SyntaxOfName(const std::string& key, const std::string& name = "a") {
  const AttributeNames names = {{key, name}};
  return Syntax(&names, nullptr);
}

std::string SyntaxOfValue(const std::string& key, AttributeValue value = "a") {
  const AttributeValues values = {{key, std::move(value)}};
  return Syntax(nullptr, &values);
}

TEST(Placeholders, AcceptsWellFormedMaps) {
  EXPECT_EQ(Syntax(nullptr, nullptr), "");
  EXPECT_EQ(Syntax(nullptr, nullptr, false), "");
  for (const char* key : {"#a", "#A9_", "#123", "#_"}) {
    EXPECT_EQ(SyntaxOfName(key), "") << key;
  }
  for (const char* key : {":a", ":A9_", ":123", ":_"}) {
    EXPECT_EQ(SyntaxOfValue(key), "") << key;
  }
  EXPECT_EQ(SyntaxOfName("#a", "any thing . at [0] all"), "");
}

TEST(Placeholders, RefusesMapsWithoutAnExpression) {
  const AttributeNames names = {{"#a", "a"}};
  const AttributeValues values = {{":a", "a"}};
  EXPECT_EQ(Syntax(&names, &values, false),
            "ExpressionAttributeNames can only be specified when using expressions");
  EXPECT_EQ(Syntax(nullptr, &values, false),
            "ExpressionAttributeValues can only be specified when using expressions");
}

TEST(Placeholders, RefusesBadKeys) {
  const AttributeNames no_names;
  const AttributeValues no_values;
  EXPECT_EQ(Syntax(&no_names, &no_values), "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(Syntax(nullptr, &no_values), "ExpressionAttributeValues must not be empty");
  for (const char* key : {"a", "#", "##a", "#a-b", "#a.b", ":a", "", "#ü"}) {
    EXPECT_EQ(SyntaxOfName(key),
              "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" +
                  std::string(key) + '"');
  }
  for (const char* key : {"a", ":", "::a", ":a-b", "#a", ""}) {
    EXPECT_EQ(SyntaxOfValue(key),
              "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" +
                  std::string(key) + '"');
  }
}

TEST(Placeholders, LimitsTheLengthOfKeys) {
  for (const std::size_t size : {254, 255}) {
    EXPECT_EQ(SyntaxOfName('#' + std::string(size - 1, 'a')), "");
    EXPECT_EQ(SyntaxOfValue(':' + std::string(size - 1, 'a')), "");
  }
  EXPECT_EQ(
      SyntaxOfName('#' + std::string(255, 'a')),
      "ExpressionAttributeNames contains invalid key: The expression attribute map contains a "
      "key that is too long; size of key: 256");
  EXPECT_EQ(
      SyntaxOfValue(':' + std::string(255, 'a')),
      "ExpressionAttributeValues contains invalid key: The expression attribute map contains a "
      "key that is too long;");
}

TEST(Placeholders, RefusesBadValues) {
  EXPECT_EQ(SyntaxOfName("#a", ""),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a");
  EXPECT_EQ(SyntaxOfName("#a", std::string(65535, 'a')), "");
  EXPECT_EQ(
      SyntaxOfName("#a", std::string(65536, 'a')),
      "1 validation error detected: Attribute name is too large, must be less than 65536 bytes");
  const std::string prefix =
      "ExpressionAttributeValues contains invalid value: One or more parameter values were "
      "invalid: ";
  EXPECT_EQ(SyntaxOfValue(":b", AttributeValue::StringSet{}),
            prefix + "An string set  may not be empty for key :b");
  EXPECT_EQ(SyntaxOfValue(":b", AttributeValue::NumberSet{}),
            prefix + "An number set  may not be empty for key :b");
  EXPECT_EQ(SyntaxOfValue(":b", Item{{"x", AttributeValue::List{AttributeValue::BinarySet{}}}}),
            prefix + "Binary sets should not be empty for key :b");
  EXPECT_EQ(SyntaxOfValue(":b", AttributeValue::List{}), "");
  EXPECT_EQ(SyntaxOfValue(":b", Item{}), "");
}

TEST(Placeholders, MustAllBeUsed) {
  const AttributeNames names = {{"#a", "a"}, {"#b", "b"}, {"#c", "c"}};
  const AttributeValues values = {{":a", 1}, {":b", 2}};
  Placeholders placeholders(&names, &values);
  EXPECT_EQ(placeholders.CheckAllUsed().error().message,
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #c}");
  ASSERT_TRUE(ParseUpdate("SET #a = :a", placeholders).has_value());
  ASSERT_TRUE(ParseProjection("#b.#c", placeholders).has_value());
  EXPECT_EQ(placeholders.CheckAllUsed().error().message,
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}");
  // Used is what stands in the text, whether or not it is looked at when the condition is
  // evaluated.
  ASSERT_TRUE(
      ParseCondition(ConditionKind::kCondition, "a = :a OR b = :b", placeholders).has_value());
  EXPECT_TRUE(placeholders.CheckAllUsed().has_value());
}

TEST(ReservedWords, AreRefusedInAnyCase) {
  for (std::size_t i = 0; i < kReservedWordCount; ++i) {
    std::string word(ReservedWord(i));
    EXPECT_TRUE(IsReservedWord(word)) << word;
    word[0] = static_cast<char>(word[0] + ('a' - 'A'));
    EXPECT_TRUE(IsReservedWord(word)) << word;
    EXPECT_EQ(
        ShowProjection("#a.#b, " + word).find("reserved keyword: " + word) != std::string::npos,
        true)
        << word;
  }
  for (const char* word : {"", "a", "pk", "REMOVE", "nam", "names1", "statuses", "zonez", "_",
                           "ZZZ", "a_word_that_is_longer_than_any_reserved_one"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace prejoin::expr
