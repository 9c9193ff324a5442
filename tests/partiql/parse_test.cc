// Statements as printed trees, and what is refused.
#include "partiql/parse.h"

#include "partiql/limits.h"

namespace prejoin::partiql {
namespace {

std::string Printed(const std::string& text, const std::vector<AttributeValue>& parameters = {}) {
  const auto statement = Parse(text, parameters);
  return statement ? Print(*statement) : "error: " + statement.error().message;
}

std::string Refused(const std::string& what) {
  return "error: Statement wasn't well formed, can't be processed: " + what;
}

struct Case {
  std::string text;
  std::string printed;
};

void Check(const std::vector<Case>& cases) {
  for (const auto& [text, printed] : cases) {
    EXPECT_EQ(Printed(text), printed) << text;
  }
}

TEST(Parse, ReadsSelects) {
  Check({
      {"SELECT * FROM T", "(select \"T\" (*))"},
      {"select * from \"My-Table\".\"By Name\";", "(select \"My-Table\" \"By Name\" (*))"},
      {"SELECT a, b.c, d[2] FROM T", "(select \"T\" (a:a b.c:c d[2]:_3))"},
      {"SELECT \"a\"\"b\" FROM T", "(select \"T\" (a\"b:a\"b))"},
  });
}

TEST(Parse, ReadsConditions) {
  const auto where = [](const std::string& condition) {
    const std::string printed = Printed("SELECT * FROM T WHERE " + condition);
    const std::string before = "(select \"T\" (*) (where ";
    return printed.starts_with(before)
               ? printed.substr(before.size(), printed.size() - before.size() - 2)
               : printed;
  };
  EXPECT_EQ(where("a = 1 AND b > 'x' OR NOT c != 2"), "(or (and (= a ?) (> b ?)) (not (<> c ?)))");
  EXPECT_EQ(where("a = 1 AND (b < 1 OR c <= 2)"), "(and (= a ?) (or (< b ?) (<= c ?)))");
  EXPECT_EQ(where("a BETWEEN 1 AND 2 AND b >= -1.5e3"), "(and (between a ? ?) (>= b ?))");
  EXPECT_EQ(where("a IN [1, 2] AND b NOT IN ('x')"), "(and (in a ? ?) (not (in b ?)))");
  EXPECT_EQ(where("a IS MISSING AND b IS NOT MISSING"),
            "(and (attribute_not_exists a) (attribute_exists b))");
  EXPECT_EQ(where("a IS NULL OR b IS NOT NULL"),
            "(or (attribute_type a ?) (not (attribute_type b ?)))");
  EXPECT_EQ(where("begins_with(\"a\", 'x') AND CONTAINS(b.c, 'y') AND size(d) > 3"),
            "(and (and (begins_with a ?) (contains b.c ?)) (> (size d) ?))");
  EXPECT_EQ(where("attribute_type(a, 'SS')"), "(attribute_type a ?)");
  EXPECT_EQ(where("attribute_type(a, 'X')"),
            "error: Invalid attribute type name found in attribute_type");
}

TEST(Parse, ReadsWrites) {
  Check({
      {"INSERT INTO \"T\" VALUE {'pk': 'a', 'n': 1, 'l': [1, {'x': null}], 's': <<1, 2>>}",
       "(insert \"T\" l:L n:N pk:S s:NS)"},
      {"UPDATE T SET a = 1 SET b.c = b.c + 2 REMOVE d[1] WHERE pk = 'a' RETURNING ALL NEW *",
       "(update \"T\" (set a ?) (set b.c (+ b.c ?)) (remove d[1]) (where (= pk ?)) "
       "(returning all new))"},
      {"UPDATE T SET a = list_append(a, [1]), b = set_add(b, <<'x'>>) WHERE pk = 1 "
       "RETURNING MODIFIED OLD *",
       "(update \"T\" (set a (list_append a ?)) (add b ?) (where (= pk ?)) "
       "(returning modified old))"},
      {"UPDATE T SET b = set_delete(b, <<'x'>>) WHERE pk = 1",
       "(update \"T\" (delete b ?) (where (= pk ?)))"},
      {"DELETE FROM T WHERE pk = 1 RETURNING ALL OLD *",
       "(delete \"T\" (where (= pk ?)) (returning all old))"},
      {"EXISTS(SELECT * FROM T WHERE pk = 1)", "(exists (select \"T\" (*) (where (= pk ?))))"},
  });
}

TEST(Parse, RefusesWhatIsNotAStatement) {
  Check({
      {"SELECTT * FROMM T", Refused("Expected data manipulation")},
      {"", Refused("Expected data manipulation")},
      {"SELECT * FROM", Refused("Unexpected end of statement")},
      {"SELECT * FROM T WHERE", Refused("Unexpected end of statement")},
      {"SELECT * FROM T WHERE a =", Refused("Unexpected end of statement")},
      {"SELECT * FROM T WHERE a = 'x", Refused("Invalid token")},
      {"SELECT * FROM T WHERE a = 1 b", Refused("Unexpected term")},
      {"SELECT FROM T", Refused("Unexpected keyword")},
      {"SELECT a, x.a FROM T", "error: Duplicate attribute in the projection: a"},
      {"INSERT INTO T VALUES {'a': 1}", Refused("Unexpected term")},
      {"INSERT INTO T VALUE {'a': 1, 'a': 2}", Refused("Duplicate attribute name a")},
      {"INSERT INTO T VALUE {'a': <<1, 'x'>>}",
       Refused("A set must hold strings, numbers or binary values of one type")},
      {"UPDATE T WHERE a = 1", Refused("Unexpected keyword")},
      {"UPDATE T SET a = 1", Refused("Unexpected end of statement")},
      {"DELETE FROM T", Refused("Unexpected end of statement")},
      {"DELETE FROM T WHERE a = 1 RETURNING ALL NEW *",
       "error: DELETE supports RETURNING ALL OLD * only"},
  });
}

TEST(Parse, BindsParametersInOrder) {
  const auto statement = Parse("INSERT INTO T VALUE {'a': ?, 'b': [?, 3]}", {1, "x"});
  ASSERT_TRUE(statement.has_value());
  const Item& item = std::get<Insert>(*statement).item;
  EXPECT_EQ(*item.Find("a"), AttributeValue(1));
  EXPECT_EQ(*item.Find("b"), AttributeValue(AttributeValue::List{"x", 3}));
  const std::string wrong = "error: Number of parameters in request and statement don't match.";
  EXPECT_EQ(Printed("SELECT * FROM T WHERE a = ?"), wrong);
  EXPECT_EQ(Printed("SELECT * FROM T WHERE a = ?", {1, 2}), wrong);
  EXPECT_EQ(Printed("SELECT * FROM T WHERE a = '?'", {1}), wrong);
}

TEST(Parse, BoundsItsDepth) {
  const auto nested = [](int levels) {
    const auto n = static_cast<std::size_t>(levels);
    return "SELECT * FROM T WHERE " + std::string(n, '(') + "a = 1" + std::string(n, ')');
  };
  EXPECT_EQ(Printed(nested(kConditionDepthMax - 1)), "(select \"T\" (*) (where (= a ?)))");
  EXPECT_EQ(Printed(nested(kConditionDepthMax)), Refused("The condition is nested too deep"));
  const auto list = [](std::size_t n) {
    return "INSERT INTO T VALUE {'a': " + std::string(n, '[') + std::string(n, ']') + "}";
  };
  EXPECT_EQ(Printed(list(32)), "(insert \"T\" a:L)");
  EXPECT_EQ(Printed(list(33)),
            "error: Nesting Levels have exceeded supported limits: Attributes in the item have "
            "nested levels beyond supported limit");
}

}  // namespace
}  // namespace prejoin::partiql
