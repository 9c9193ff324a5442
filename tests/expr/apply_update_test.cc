#include "expr/evaluate.h"
#include "expr/legacy.h"
#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

using Value = AttributeValue;

Item MakeItem() {
  return {
      {"pk", "key"},
      {"n", 5},
      {"s", "text"},
      {"lst", Value::List{"a", "b", "c", "d"}},
      {"m", Item{{"x", 1}, {"y", Item{{"z", Value::List{1, 2}}}}}},
      {"ss", Value::StringSet{{"a", "c"}}},
      {"ns", Value::NumberSet{{Number(1), Number(3)}}},
      {"bs", Value::BinarySet{{"x", "y"}}},
  };
}

Result<UpdateResult> Updated(std::string_view text, const Item& item) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  const auto update = ParseUpdate(text, placeholders);
  EXPECT_TRUE(update.has_value()) << text << ": " << update.error().message;
  return ApplyUpdate(*update, item);
}

Item With(Item item, const std::string& name, Value value) {
  item.Set(name, std::move(value));
  return item;
}

TEST(ApplyUpdate, ChangesOneAttribute) {
  const struct {
    const char* text;
    const char* name;
    Value value;
  } cases[] = {
      {"SET n = :s", "n", "s"},
      {"SET fresh = :list", "fresh", Value::List{1}},
      {"SET fresh = n", "fresh", 5},
      {"SET fresh = lst[1]", "fresh", "b"},
      {"SET fresh = m.y.z[1]", "fresh", 2},
      {"SET n = n + :n", "n", 6},
      {"SET n = :n - n", "n", -4},
      {"SET n = n + m.x", "n", 6},
      {"SET n = if_not_exists(n, :s)", "n", 5},
      {"SET fresh = if_not_exists(gone, :s)", "fresh", "s"},
      {"SET fresh = if_not_exists(gone, if_not_exists(gone.x, :n2)) + :n", "fresh", 3},
      {"SET lst = list_append(lst, :list)", "lst", Value::List{"a", "b", "c", "d", 1}},
      {"SET lst = list_append(:list, lst)", "lst", Value::List{1, "a", "b", "c", "d"}},
      {"SET fresh = list_append(if_not_exists(gone, :list), :list)", "fresh", Value::List{1, 1}},
      {"SET m.x = :s", "m", Item{{"x", "s"}, {"y", Item{{"z", Value::List{1, 2}}}}}},
      {"SET m.w = :s", "m", Item{{"w", "s"}, {"x", 1}, {"y", Item{{"z", Value::List{1, 2}}}}}},
      {"SET m.y.z[0] = :s", "m", Item{{"x", 1}, {"y", Item{{"z", Value::List{"s", 2}}}}}},
      {"SET lst[1] = :n", "lst", Value::List{"a", 1, "c", "d"}},
      {"SET lst[4] = :n", "lst", Value::List{"a", "b", "c", "d", 1}},
      {"SET lst[99] = :n", "lst", Value::List{"a", "b", "c", "d", 1}},
      {"SET lst[9] = :n, lst[7] = :s, lst[0] = :n2", "lst", Value::List{2, "b", "c", "d", "s", 1}},
      {"REMOVE lst[1]", "lst", Value::List{"a", "c", "d"}},
      {"REMOVE lst[0], lst[2], lst[9]", "lst", Value::List{"b", "d"}},
      {"REMOVE lst[1] SET lst[3] = :n", "lst", Value::List{"a", "c", 1}},
      {"SET lst[3] = :n, lst[8] = :n2 REMOVE lst[1]", "lst", Value::List{"a", "c", 1, 2}},
      {"REMOVE lst[0], lst[1], lst[2], lst[3]", "lst", Value::List{}},
      {"REMOVE m.x", "m", Item{{"y", Item{{"z", Value::List{1, 2}}}}}},
      {"REMOVE m.y.z[0], m.x", "m", Item{{"y", Item{{"z", Value::List{2}}}}}},
      {"REMOVE m.x, m.y", "m", Item{}},
      {"REMOVE m.gone", "m", Item{{"x", 1}, {"y", Item{{"z", Value::List{1, 2}}}}}},
      {"ADD n :n2", "n", 7},
      {"ADD fresh :n", "fresh", 1},
      {"ADD fresh :ss", "fresh", Value::StringSet{{"a", "b"}}},
      {"ADD ss :ss", "ss", Value::StringSet{{"a", "c", "b"}}},
      {"ADD ns :ns", "ns", Value::NumberSet{{Number(1), Number(3), Number(2)}}},
      {"ADD bs :bs", "bs", Value::BinarySet{{"x", "y"}}},
      {"ADD m.x :n", "m", Item{{"x", 2}, {"y", Item{{"z", Value::List{1, 2}}}}}},
      {"ADD m.y.z[0] :n", "m", Item{{"x", 1}, {"y", Item{{"z", Value::List{2, 2}}}}}},
      {"ADD lst[9] :ss", "lst", Value::List{"a", "b", "c", "d", Value::StringSet{{"a", "b"}}}},
      {"DELETE ss :ss", "ss", Value::StringSet{{"c"}}},
      {"DELETE ns :ns", "ns", Value::NumberSet{{Number(3)}}},
      {"DELETE bs :bs", "bs", Value::BinarySet{{"y"}}},
      {"DELETE lst[9] :ss", "lst", Value::List{"a", "b", "c", "d"}},
  };
  for (const auto& [text, name, value] : cases) {
    const auto result = Updated(text, MakeItem());
    ASSERT_TRUE(result.has_value()) << text << ": " << result.error().message;
    EXPECT_EQ(result->item, With(MakeItem(), name, value)) << text;
  }
}

TEST(ApplyUpdate, RemovesAttributes) {
  Item expected = MakeItem();
  expected.Remove("n");
  EXPECT_EQ(Updated("REMOVE n, gone", MakeItem())->item, expected);
  // The last member of a set takes the attribute with it.
  const Item item = {{"pk", "key"}, {"ss", Value::StringSet{{"b"}}}};
  EXPECT_EQ(Updated("DELETE ss :ss", item)->item, (Item{{"pk", "key"}}));
  EXPECT_EQ(Updated("DELETE gone :ss", item)->item, item);
}

// As large as an item can hold; a walk through one set for each member of the other would take
// minutes.
TEST(ApplyUpdate, JoinsAndSplitsLargeSets) {
  std::vector<std::string> evens;
  std::vector<std::string> all;
  std::vector<std::string> odds;
  for (int i = 0; i < 60'000; ++i) {
    (i % 2 == 0 ? evens : odds).push_back(std::to_string(i));
    all.push_back(std::to_string(i));
  }
  const Item item = {{"a", Value::StringSet{evens}}};
  const AttributeValues values = {{":all", Value::StringSet{all}},
                                  {":evens", Value::StringSet{evens}}};
  Placeholders placeholders(nullptr, &values);
  const auto joined = ApplyUpdate(*ParseUpdate("ADD a :all", placeholders), item);
  EXPECT_EQ(joined->item, (Item{{"a", Value::StringSet{all}}}));
  const auto split = ApplyUpdate(*ParseUpdate("DELETE a :evens", placeholders), joined->item);
  EXPECT_EQ(split->item, (Item{{"a", Value::StringSet{odds}}}));
}

TEST(ApplyUpdate, ReadsTheOldItemInEveryAction) {
  const Item item = {{"pk", "key"}, {"a", 1}, {"b", 2}};
  EXPECT_EQ(Updated("SET a = b, b = a", item)->item, (Item{{"pk", "key"}, {"a", 2}, {"b", 1}}));
  EXPECT_EQ(Updated("REMOVE a SET c = a", item)->item, (Item{{"pk", "key"}, {"b", 2}, {"c", 1}}));
  EXPECT_FALSE(Updated("SET c = :n, d = c", item).has_value());
}

TEST(ApplyUpdate, Refuses) {
  const std::string missing =
      "The provided expression refers to an attribute that does not exist in the item";
  const std::string wrong_type = "An operand in the update expression has an incorrect data type";
  const std::string bad_path =
      "The document path provided in the update expression is invalid for update";
  const Case cases[] = {
      {"SET fresh = gone", missing},
      {"SET fresh = gone + :n", missing},
      {"SET fresh = lst[9]", missing},
      {"SET fresh = list_append(gone, :list)", missing},
      {"SET fresh = s + :n", wrong_type},
      {"SET fresh = :n - lst", wrong_type},
      {"SET fresh = list_append(s, :list)", wrong_type},
      {"SET fresh = list_append(lst, if_not_exists(gone, :s))", wrong_type},
      {"ADD s :n", wrong_type},
      {"ADD lst :ss", wrong_type},
      {"ADD ss :ns", wrong_type},
      {"ADD n :ss", wrong_type},
      {"DELETE ns :ss", wrong_type},
      {"DELETE n :ns", wrong_type},
      {"DELETE m.x :ss", wrong_type},
      {"SET gone.a = :n", bad_path},
      {"SET gone[0] = :n", bad_path},
      {"SET s.a = :n", bad_path},
      {"SET m[0] = :n", bad_path},
      {"SET lst.a = :n", bad_path},
      {"SET lst[9].a = :n", bad_path},
      {"SET m.gone.a = :n", bad_path},
      {"REMOVE gone.a", bad_path},
      {"REMOVE s[0]", bad_path},
      {"REMOVE lst.a", bad_path},
      {"ADD gone.a :n", bad_path},
      {"DELETE gone.a :ss", bad_path},
  };
  for (const auto& [text, message] : cases) {
    const auto result = Updated(text, MakeItem());
    ASSERT_FALSE(result.has_value()) << text;
    EXPECT_EQ(result.error().message, message) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kValidation) << text;
  }
}

TEST(ApplyUpdate, RefusesSumsThatNoNumberHolds) {
  const Item item = {{"big", *Number::Parse("9E125")}, {"tiny", *Number::Parse("1E-100")}};
  EXPECT_FALSE(Updated("SET big = big + big", item).has_value());
  EXPECT_FALSE(Updated("SET big = big + tiny", item).has_value());
  EXPECT_TRUE(Updated("SET big = big - big", item).has_value());
}

TEST(ApplyUpdate, ReturnsOnlyWhatThePathsTouch) {
  const struct {
    const char* text;
    Item updated_old;
    Item updated_new;
  } cases[] = {
      {"SET n = :s", {{"n", 5}}, {{"n", "s"}}},
      {"SET n = n", {{"n", 5}}, {{"n", 5}}},
      {"SET fresh = :n, n = :n", {{"n", 5}}, {{"fresh", 1}, {"n", 1}}},
      {"REMOVE n", {{"n", 5}}, {}},
      {"REMOVE gone", {}, {}},
      {"SET m.x = :s", {{"m", Item{{"x", 1}}}}, {{"m", Item{{"x", "s"}}}}},
      {"SET m.w = :s", {}, {{"m", Item{{"w", "s"}}}}},
      {"SET m.y.z[1] = :s, m.x = :n2",
       {{"m", Item{{"x", 1}, {"y", Item{{"z", Value::List{2}}}}}}},
       {{"m", Item{{"x", 2}, {"y", Item{{"z", Value::List{"s"}}}}}}}},
      {"SET lst[3] = :n, lst[1] = :n2",
       {{"lst", Value::List{"b", "d"}}},
       {{"lst", Value::List{2, 1}}}},
      // Positions mean the new list now: what is appended at 99 is not found there, and what has
      // moved to 1 is.
      {"SET lst[99] = :n", {}, {}},
      {"REMOVE lst[1]", {{"lst", Value::List{"b"}}}, {{"lst", Value::List{"c"}}}},
      {"REMOVE lst[3]", {{"lst", Value::List{"d"}}}, {}},
      {"ADD n :n", {{"n", 5}}, {{"n", 6}}},
      {"DELETE ss :ss", {{"ss", Value::StringSet{{"a", "c"}}}}, {{"ss", Value::StringSet{{"c"}}}}},
  };
  for (const auto& [text, updated_old, updated_new] : cases) {
    const auto result = Updated(text, MakeItem());
    ASSERT_TRUE(result.has_value()) << text << ": " << result.error().message;
    EXPECT_EQ(result->updated_old, updated_old) << text;
    EXPECT_EQ(result->updated_new, updated_new) << text;
  }
}

// One long expression with what makes lists hard: replaced, appended out of order, computed from
// old positions.
TEST(ApplyUpdate, KeepsListPositionsApart) {
  const Item item = {
      {"a", "key"}, {"b", Item{{"a", 1}, {"b", 2}, {"c", 3}}}, {"c", Value::List{1, 3}}};
  Placeholders placeholders(nullptr, &CaseValues());
  const auto update = ParseUpdate(
      "set b.c=((c[1])+(b.a)),b.a = a,c[1] = a, c[4] = b.a - b.b, c[2] = b.c add c[8] :ss, c[6] "
      ":n2",
      placeholders);
  const auto result = ApplyUpdate(*update, item);
  EXPECT_EQ(result->item,
            (Item{{"a", "key"},
                  {"b", Item{{"a", "key"}, {"b", 2}, {"c", 4}}},
                  {"c", Value::List{1, "key", 3, -1, 2, Value::StringSet{{"a", "b"}}}}}));
  EXPECT_EQ(result->updated_new,
            (Item{{"b", Item{{"a", "key"}, {"c", 4}}}, {"c", Value::List{"key", 3, 2}}}));
}

// ---- AttributeUpdates --------------------------------------------------------------------------

TEST(LegacyUpdates, BecomeActions) {
  const auto update = FromAttributeUpdates({
      {"put", {Value("v"), LegacyAction::kPut}},
      {"implied", {Value("v"), std::nullopt}},
      {"n", {Value(2), LegacyAction::kAdd}},
      {"lst", {Value(Value::List{"z"}), LegacyAction::kAdd}},
      {"ss", {Value(Value::StringSet{{"a"}}), LegacyAction::kDelete}},
      {"s", {std::nullopt, LegacyAction::kDelete}},
      {"x.y", {Value(1), LegacyAction::kPut}},  // One name, with a dot in it.
  });
  ASSERT_TRUE(update.has_value());
  const auto result = ApplyUpdate(*update, MakeItem());
  ASSERT_TRUE(result.has_value());
  Item expected = MakeItem();
  expected.Set("put", "v");
  expected.Set("implied", "v");
  expected.Set("n", 7);
  expected.Set("lst", Value::List{"a", "b", "c", "d", "z"});
  expected.Set("ss", Value::StringSet{{"c"}});
  expected.Set("x.y", 1);
  expected.Remove("s");
  EXPECT_EQ(result->item, expected);
}

std::string RefusalOf(std::optional<Value> value, std::optional<LegacyAction> action) {
  AttributeUpdates updates;
  updates["a"].value = std::move(value);
  updates["a"].action = action;
  const auto update = FromAttributeUpdates(updates);
  return update.has_value() ? "" : update.error().message;
}

TEST(LegacyUpdates, Refuse) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string no_value =
      prefix + "Only DELETE action is allowed when no attribute value is specified";
  EXPECT_EQ(RefusalOf(std::nullopt, std::nullopt), no_value);
  EXPECT_EQ(RefusalOf(std::nullopt, LegacyAction::kAdd), no_value);
  EXPECT_EQ(RefusalOf("x", LegacyAction::kDelete),
            prefix + "DELETE action with value is not supported for the type S");
  EXPECT_EQ(RefusalOf(Value::List{}, LegacyAction::kDelete),
            prefix + "DELETE action with value is not supported for the type L");
  EXPECT_EQ(RefusalOf(Value::Binary{"b"}, LegacyAction::kAdd),
            prefix + "ADD action is not supported for the type B");
  EXPECT_EQ(RefusalOf(Item{}, LegacyAction::kAdd),
            prefix + "ADD action is not supported for the type M");
  const auto mismatch = FromAttributeUpdates({{"s", {Value(1), LegacyAction::kAdd}}});
  EXPECT_EQ(ApplyUpdate(*mismatch, MakeItem()).error().message,
            "Type mismatch for attribute to update");
}

}  // namespace
}  // namespace prejoin::expr
