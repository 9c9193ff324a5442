#include "expr/key_condition.h"

#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

using Schema = std::vector<KeyAttribute>;

const Schema kHashOnly = {{"pk", KeyType::kHash, ScalarType::kString}};
const Schema kComposite = {{"pk", KeyType::kHash, ScalarType::kString},
                           {"sk", KeyType::kRange, ScalarType::kString}};
const Schema kNumberRange = {{"pk", KeyType::kHash, ScalarType::kString},
                             {"sk", KeyType::kRange, ScalarType::kNumber}};
const Schema kMulti = {
    {"h1", KeyType::kHash, ScalarType::kString},  {"h2", KeyType::kHash, ScalarType::kNumber},
    {"r1", KeyType::kRange, ScalarType::kString}, {"r2", KeyType::kRange, ScalarType::kNumber},
    {"r3", KeyType::kRange, ScalarType::kString},
};
const Schema kFourRanges = {
    {"h", KeyType::kHash, ScalarType::kString},  {"a", KeyType::kRange, ScalarType::kString},
    {"b", KeyType::kRange, ScalarType::kString}, {"c", KeyType::kRange, ScalarType::kString},
    {"d", KeyType::kRange, ScalarType::kString},
};

std::string Show(const AttributeValue& value) {
  return value.string() != nullptr   ? *value.string()
         : value.number() != nullptr ? value.number()->ToString()
                                     : std::string(TypeName(value.type()));
}

std::string ShowTerms(const Result<KeyCondition>& condition) {
  if (!condition.has_value()) {
    return condition.error().message;
  }
  static const char* const kOperators[] = {"=", "<", "<=", ">", ">=", "between", "begins_with"};
  std::string text;
  for (const KeyTerm& term : condition->terms) {
    text += (text.empty() ? "" : " & ") + term.attribute_name + ' ' +
            kOperators[static_cast<int>(term.op)] + ' ' + Show(term.value);
    if (term.op == KeyOperator::kBetween) {
      text += ".." + Show(term.high);
    }
  }
  return text;
}

std::string ShowKey(std::string_view text, const Schema& schema) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  const auto condition = ParseCondition(ConditionKind::kKeyCondition, text, placeholders);
  return condition.has_value() ? ShowTerms(ExtractKeyCondition(*condition, schema))
                               : condition.error().message;
}

struct KeyCase {
  std::string text;
  Schema schema;
  std::string shown;
};

TEST(KeyCondition, BecomesTermsInSchemaOrder) {
  const KeyCase cases[] = {
      {"pk = :s", kHashOnly, "pk = s"},
      {":s = pk", kHashOnly, "pk = s"},
      {"pk = :s", kComposite, "pk = s"},
      {"sk = :s2 AND pk = :s", kComposite, "pk = s & sk = t"},
      {"pk = :s AND sk < :s2", kComposite, "pk = s & sk < t"},
      {"pk = :s AND :s2 < sk", kComposite, "pk = s & sk > t"},
      {"pk = :s AND :s2 <= sk", kComposite, "pk = s & sk >= t"},
      {"pk = :s AND :s2 > sk", kComposite, "pk = s & sk < t"},
      {"pk = :s AND sk BETWEEN :s AND :s2", kComposite, "pk = s & sk between s..t"},
      {"pk = :s AND begins_with(sk, :s2)", kComposite, "pk = s & sk begins_with t"},
      {"(pk = :s) AND (sk = :s)", kComposite, "pk = s & sk = s"},
      {"(pk = :s AND (sk >= :s))", kComposite, "pk = s & sk >= s"},
      {"pk = :s AND sk > :n", kNumberRange, "pk = s & sk > 1"},
      {"h1 = :s AND h2 = :n", kMulti, "h1 = s & h2 = 1"},
      {"r1 = :s AND h2 = :n AND h1 = :s", kMulti, "h1 = s & h2 = 1 & r1 = s"},
      {"h1 = :s AND h2 = :n AND r1 = :s AND r2 = :n AND begins_with(r3, :s)", kMulti,
       "h1 = s & h2 = 1 & r1 = s & r2 = 1 & r3 begins_with s"},
      {"h1 = :s AND h2 = :n AND r1 > :s", kMulti, "h1 = s & h2 = 1 & r1 > s"},
      {"h = :s AND a = :s AND b = :s AND c = :s AND d BETWEEN :s AND :s2", kFourRanges,
       "h = s & a = s & b = s & c = s & d between s..t"},
  };
  for (const auto& [text, schema, shown] : cases) {
    EXPECT_EQ(ShowKey(text, schema), shown) << text;
  }
}

TEST(KeyCondition, RefusesShapesThatNoKeyAllows) {
  const Case cases[] = {
      {"pk = :s OR sk = :s", "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT pk = :s", "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk = :s AND sk IN (:s)", "Invalid operator used in KeyConditionExpression: IN"},
      {"pk <> :s", "Invalid operator used in KeyConditionExpression: <>"},
      {"attribute_exists(pk)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"pk = :s AND contains(sk, :s)", "Invalid operator used in KeyConditionExpression: contains"},
      {":s BETWEEN a AND b",
       "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute "
       "as "
       "its first operand"},
      {"begins_with(:s, a)",
       "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
       "attribute "
       "as its first operand"},
      {"size(pk) = :n",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations"},
      {"pk = size(:s)",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations"},
      {"pk = sk",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {":s = :s2", "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"pk.a = :s",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
       "attributes"},
      {"pk[0] = :s",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
       "attributes"},
      {"pk = :s AND sk > :s AND sk < :s2",
       "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
       "per key"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowKey(text, kComposite), shown) << text;
  }
}

TEST(KeyCondition, RefusesWhatTheSchemaDoesNotAllow) {
  const std::string not_supported = "Query key condition not supported";
  const std::string wrong_type =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  const auto range = [](const std::string& attributes, const std::string& because) {
    return "RANGE key attributes " + attributes +
           " must have equality conditions specified in the query because a condition is present "
           "on "
           "key attribute " +
           because;
  };
  const KeyCase cases[] = {
      {"sk = :s", kComposite, "Query condition missed key schema element: pk"},
      {"extra = :s", kHashOnly, "Query condition missed key schema element: pk"},
      {"pk = :s AND extra = :s", kComposite, "Query condition missed key schema element: sk"},
      {"pk = :s AND extra = :s", kHashOnly,
       "The number of query conditions (2) exceeds the number of key attributes defined in the "
       "schema "
       "(1)"},
      {"pk = :s AND sk = :s AND extra = :s", kComposite,
       "The number of query conditions (3) exceeds the number of key attributes defined in the "
       "schema "
       "(2)"},
      {"pk < :s", kComposite, not_supported},
      {"begins_with(pk, :s)", kHashOnly, not_supported},
      {"pk BETWEEN :s AND :s2", kHashOnly, not_supported},
      {"pk = :n", kHashOnly, wrong_type},
      {"pk > :n", kHashOnly, wrong_type},
      {"pk = :s AND sk = :n", kComposite, wrong_type},
      {"pk = :s AND begins_with(sk, :s)", kNumberRange, wrong_type},
      {"pk = :s AND sk = :bool", kNumberRange, wrong_type},
      {"h1 = :s", kMulti,
       "HASH key attributes h2 must have equality conditions specified in the query"},
      {"h1 = :s AND h2 > :n", kMulti,
       "HASH key attributes h2 must have equality conditions specified in the query"},
      {"h1 = :s AND h2 = :n AND r2 = :n", kMulti, range("r1", "r2")},
      {"h = :s AND a = :s AND c = :s", kFourRanges, range("b", "c")},
      {"h = :s AND a = :s AND b > :s AND c = :s", kFourRanges, range("b", "c")},
      {"h = :s AND b = :s", kFourRanges, range("a", "b")},
      {"h = :s AND d = :s", kFourRanges, range("a, b, c", "d")},
  };
  for (const auto& [text, schema, shown] : cases) {
    EXPECT_EQ(ShowKey(text, schema), shown) << text;
  }
}

TEST(KeyCondition, ReportsOperandsBeforeShapes) {
  EXPECT_EQ(
      ShowKey("pk = :s AND begins_with(sk, :n) AND sk > :s", kComposite),
      "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
      "or function: begins_with, operand type: N");
}

TEST(KeyCondition, CanBeCheckedWithoutASchema) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  EXPECT_TRUE(CheckKeyCondition(
                  *ParseCondition(ConditionKind::kKeyCondition, "a = :s AND b > :s", placeholders))
                  .has_value());
  EXPECT_FALSE(CheckKeyCondition(
                   *ParseCondition(ConditionKind::kKeyCondition, "a = :s OR b > :s", placeholders))
                   .has_value());
}

// ---- KeyConditions -----------------------------------------------------------------------------

TEST(LegacyKeyConditions, BecomeTermsInSchemaOrder) {
  EXPECT_EQ(
      ShowTerms(ExtractKeyCondition(LegacyConditions{{"sk", {LegacyOperator::kBetween, {"a", "b"}}},
                                                     {"pk", {LegacyOperator::kEq, {"x"}}}},
                                    kComposite)),
      "pk = x & sk between a..b");
  EXPECT_EQ(ShowTerms(ExtractKeyCondition(LegacyConditions{{"pk", {LegacyOperator::kEq, {"x"}}}},
                                          kComposite)),
            "pk = x");
}

TEST(LegacyKeyConditions, Refuse) {
  const struct {
    LegacyConditions conditions;
    std::string shown;
  } cases[] = {
      {{}, "Conditions can be of length 1 or 2 only"},
      {{{"pk", {LegacyOperator::kEq, {}}}},
       "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
       "ComparisonOperator"},
      {{{"pk", {LegacyOperator::kBetween, {"b", "a"}}}},
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
       "bound"},
      {{{"pk", {LegacyOperator::kEq, {"x"}}}, {"sk", {LegacyOperator::kNull, {}}}},
       "Attempted conditional constraint is not an indexable operation"},
      {{{"pk", {LegacyOperator::kNe, {"x"}}}},
       "Attempted conditional constraint is not an indexable operation"},
      {{{"pk", {LegacyOperator::kLt, {"x"}}}}, "Query key condition not supported"},
      {{{"sk", {LegacyOperator::kEq, {"x"}}}}, "Query condition missed key schema element: pk"},
      {{{"pk", {LegacyOperator::kEq, {1}}}},
       "One or more parameter values were invalid: Condition parameter type does not match schema "
       "type"},
  };
  for (const auto& [conditions, shown] : cases) {
    EXPECT_EQ(ShowTerms(ExtractKeyCondition(conditions, kComposite)), shown);
  }
}

}  // namespace
}  // namespace prejoin::expr
