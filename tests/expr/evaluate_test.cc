#include "expr/evaluate.h"

#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

using Value = AttributeValue;

Item MakeItem() {
  return {
      {"s", "hello"},
      {"utf8", "é𝄞"},
      {"n", 5},
      {"n5", 5},
      {"b", Value::Binary{"bytes\x80"}},
      {"t", true},
      {"nul", Value::Null{}},
      {"lst", Value::List{1, "two", Value::List{3}, Item{{"k", "v"}}}},
      {"m", Item{{"x", 1}, {"deep", Item{{"y", Value::List{7, 8}}}}}},
      {"ss", Value::StringSet{{"a", "b", "c"}}},
      {"ns", Value::NumberSet{{Number(1), Number(2)}}},
      {"bs", Value::BinarySet{{"p", "q"}}},
  };
}

const AttributeValues& Values() {
  static const AttributeValues values = {
      {":hello", "hello"},
      {":he", "he"},
      {":ell", "ell"},
      {":zed", "zed"},
      {":empty", ""},
      {":one", 1},
      {":two", 2},
      {":three", 3},
      {":four", 4},
      {":five", 5},
      {":fiveAndABit", *Number::Parse("5.00000000000000000000000000000000001")},
      {":six", 6},
      {":seven", 7},
      {":strFive", "5"},
      {":by", Value::Binary{"by"}},
      {":byHigh", Value::Binary{"bytes\x81"}},
      {":byLow", Value::Binary{"bytes\x7f"}},
      {":true", true},
      {":false", false},
      {":null", Value::Null{}},
      {":cba", Value::StringSet{{"c", "b", "a"}}},
      {":ab", Value::StringSet{{"a", "b"}}},
      {":a", "a"},
      {":p", Value::Binary{"p"}},
      {":list3", Value::List{3}},
      {":wholeList", Value::List{1, "two", Value::List{3}, Item{{"k", "v"}}}},
      {":kv", Item{{"k", "v"}}},
      {":S", "S"},
      {":N", "N"},
      {":L", "L"},
      {":NULL", "NULL"},
  };
  return values;
}

bool Holds(std::string_view text, const Item& item) {
  Placeholders placeholders(nullptr, &Values());
  auto condition = ParseCondition(ConditionKind::kCondition, text, placeholders);
  EXPECT_TRUE(condition.has_value()) << text << ": " << condition.error().message;
  const std::string body = EncodeItem(item);
  return condition.has_value() && Evaluate(*condition, ItemView(body));
}

TEST(Evaluate, TrueConditions) {
  const Item item = MakeItem();
  for (const char* text : {
           "s = :hello",
           "s <> :zed",
           "s < :zed",
           "s >= :hello",
           "n = n5",
           "n = :five",
           "n < :six",
           "n < :fiveAndABit",
           "n <> :strFive",
           "b < :byHigh",
           "b > :byLow",
           "t = :true",
           "t <> :false",
           "nul = :null",
           "ss = :cba",
           "ss <> :ab",
           "lst = :wholeList",
           "lst[2] = :list3",
           "lst[3] = :kv",
           "lst[3].k > :a",
           "m.x = :one",
           "m.deep.y[0] = :seven",
           "m.deep.y[0] < m.deep.y[1]",
           "n BETWEEN :four AND :six",
           "n BETWEEN :five AND :five",
           "n IN (:one, :strFive, :five)",
           "attribute_exists(m.deep.y[1])",
           "attribute_not_exists(m.deep.y[2])",
           "attribute_not_exists(m.x.y)",
           "attribute_not_exists(s[0])",
           "attribute_type(s, :S)",
           "attribute_type(nul, :NULL)",
           "attribute_type(lst[0], :N)",
           "begins_with(s, :he)",
           "begins_with(s, :empty)",
           "begins_with(b, :by)",
           "begins_with(:hello, s)",
           "contains(s, :ell)",
           "contains(s, :empty)",
           "contains(b, :by)",
           "contains(ss, :a)",
           "contains(ns, :two)",
           "contains(bs, :p)",
           "contains(lst, :one)",
           "contains(lst, :list3)",
           "contains(lst, :kv)",
           "contains(:cba, :a)",
           "size(s) = n",
           "size(s) = :five",
           "size(b) = :six",
           "size(ss) > :two",
           "size(lst) = :four",
           "size(m) = :two",
           "size(m.deep) = :one",
           "size(:hello) = n",
           "size(utf8) = :three",  // In UTF-16.
           "NOT s = :zed",
           "s = :zed OR n = :five",
           "s = :hello AND (n = :one OR t = :true)",
       }) {
    EXPECT_TRUE(Holds(text, item)) << text;
  }
}

TEST(Evaluate, FalseConditions) {
  const Item item = MakeItem();
  for (const char* text : {
           "s = :zed",
           "s <> :hello",
           "s < :hello",
           "n = :strFive",
           "n > :fiveAndABit",
           "t < n",
           "lst < s",
           "s < n",
           "nul = t",
           "ss = :ab",
           "m < lst",
           "n BETWEEN :six AND :seven",
           "n BETWEEN :a AND :zed",
           "n IN (:one, :strFive)",
           "attribute_exists(lst[4])",
           "attribute_exists(lst.k)",
           "attribute_type(s, :N)",
           "attribute_type(lst, :S)",
           "begins_with(s, :ell)",
           "begins_with(n, :he)",
           "begins_with(s, b)",
           "contains(s, :one)",
           "contains(n, :five)",
           "contains(m, :one)",
           "contains(ss, :ab)",
           "contains(ns, :strFive)",
           "contains(t, :true)",
           "size(n) = :one",
           "size(t) = :one",
           "size(nul) = :one",
           "size(s) = :strFive",
           "NOT n = :five",
           "s = :hello AND n = :one",
       }) {
    EXPECT_FALSE(Holds(text, item)) << text;
  }
}

// A missing attribute is unequal to everything, even to something else that is not there, and
// compares with nothing.
TEST(Evaluate, MissingAttributes) {
  for (const char* text : {
           "q <> :one",
           ":one <> q",
           "q <> z",
           "size(q) <> :one",
           "attribute_not_exists(q)",
           "NOT q = :one",
           "NOT q < :one",
       }) {
    EXPECT_TRUE(Holds(text, Item())) << text;
  }
  for (const char* text : {
           "q = :one",
           "q = z",
           "q < :one",
           ":one < q",
           "q <= z",
           "q BETWEEN :one AND :two",
           "q IN (:one)",
           "q IN (z)",
           "attribute_exists(q)",
           "attribute_type(q, :NULL)",
           "begins_with(q, :he)",
           "contains(q, :he)",
           "contains(:hello, q)",
           "size(q) = :one",
       }) {
    EXPECT_FALSE(Holds(text, Item())) << text;
  }
}

TEST(Evaluate, AnAbsentItemHasNoAttributes) {
  Placeholders placeholders(nullptr, nullptr);
  const auto condition =
      ParseCondition(ConditionKind::kCondition, "attribute_not_exists(pk)", placeholders);
  EXPECT_TRUE(Evaluate(*condition, ItemView()));
}

// ---- Projections -------------------------------------------------------------------------------

Item Projected(std::string_view text, const Item& item) {
  Placeholders placeholders(&CaseNames(), nullptr);
  auto projection = ParseProjection(text, placeholders);
  EXPECT_TRUE(projection.has_value()) << text << ": " << projection.error().message;
  const std::string body = EncodeItem(item);
  const std::string projected = Project(*projection, ItemView(body));
  EXPECT_TRUE(ValidateItemBody(projected).has_value()) << text;
  return ItemView(projected).Decode();
}

TEST(Project, KeepsWhatThePathsAskFor) {
  const Item item = MakeItem();
  const struct {
    const char* text;
    Item projected;
  } cases[] = {
      {"s", {{"s", "hello"}}},
      {"n, s, gone", {{"n", 5}, {"s", "hello"}}},
      {"m.x", {{"m", Item{{"x", 1}}}}},
      {"m.deep.y[1]", {{"m", Item{{"deep", Item{{"y", Value::List{8}}}}}}}},
      {"m.deep.y[1], m.x, s",
       {{"m", Item{{"deep", Item{{"y", Value::List{8}}}}, {"x", 1}}}, {"s", "hello"}}},
      {"lst[3], lst[0]",
       {{"lst", Value::List{1, Item{{"k", "v"}}}}}},  // Packed, in the list's order.
      {"lst[3].k, lst[2][0]", {{"lst", Value::List{Value::List{3}, Item{{"k", "v"}}}}}},
      {"lst[9]", {}},
      {"lst[9], lst[1]", {{"lst", Value::List{"two"}}}},
      {"m.x.y", {}},
      {"lst.x", {}},
      {"m[0]", {}},
      {"m.nothing", {}},
      {"s.x, n", {{"n", 5}}},
  };
  for (const auto& [text, projected] : cases) {
    EXPECT_EQ(Projected(text, item), projected) << text;
  }
}

}  // namespace
}  // namespace prejoin::expr
