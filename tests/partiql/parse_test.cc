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
       "(RETURNING ALL NEW *))"},
      {"UPDATE T SET a = list_append(a, [1]), b = set_add(b, <<'x'>>) WHERE pk = 1 "
       "RETURNING MODIFIED OLD *",
       "(update \"T\" (set a (list_append a ?)) (add b ?) (where (= pk ?)) "
       "(RETURNING MODIFIED OLD *))"},
      {"UPDATE T SET b = set_delete(b, <<'x'>>) WHERE pk = 1",
       "(update \"T\" (delete b ?) (where (= pk ?)))"},
      {"DELETE FROM T WHERE pk = 1 RETURNING ALL OLD *",
       "(delete \"T\" (where (= pk ?)) (RETURNING ALL OLD *))"},
      {"EXISTS(SELECT * FROM T WHERE pk = 1)", "(exists (select \"T\" (*) (where (= pk ?))))"},
  });
}

TEST(Parse, ReadsFromFirstUpdates) {
  Check({
      {"FROM T WHERE pk = 'a' SET a = 1 REMOVE b RETURNING ALL NEW *",
       "(update \"T\" (set a ?) (remove b) (where (= pk ?)) (RETURNING ALL NEW *))"},
      {"from \"T\" set a = a - 1", "(update \"T\" (set a (- a ?)))"},
      {"FROM T SET a = 1 WHERE pk = 'a'", Refused("Unexpected token after expression")},
      {"FROM T WHERE pk = 'a'", Refused("Expected data manipulation")},
  });
}

TEST(Parse, ReadsFunctionsAndTypesInConditions) {
  const auto where = [](const std::string& condition) {
    return Printed("DELETE FROM T WHERE " + condition);
  };
  EXPECT_EQ(where("Attribute_Exists(\"a b\".c[1]) AND NOT attribute_not_exists(d)"),
            "(delete \"T\" (where (and (attribute_exists a b.c[1]) (not (attribute_not_exists "
            "d)))))");
  EXPECT_EQ(where("attribute_exists(a) = true"), "(delete \"T\" (where (attribute_exists a)))");
  EXPECT_EQ(where("false = attribute_exists(a)"),
            "(delete \"T\" (where (not (attribute_exists a))))");
  EXPECT_EQ(where("(a = 1) <> true"), "(delete \"T\" (where (not (= a ?))))");
  EXPECT_EQ(where("a IS BOOL OR a IS NOT STRING"),
            "(delete \"T\" (where (or (attribute_type a ?) (not (attribute_type a ?)))))");
  EXPECT_EQ(where("a IS DOUBLE PRECISION AND a IS CHARACTER VARYING(3)"),
            "(delete \"T\" (where (and (attribute_type a ?) (attribute_type a ?))))");
  EXPECT_EQ(where("a IS FOO"), Refused("Expected type name"));
  EXPECT_EQ(where("a IS DOUBLE"), Refused("Expected type name"));
  EXPECT_EQ(Printed("x IS INT4"), "error: Unsupported operation: IsType");
}

TEST(Parse, SkipsComments) {
  Check({
      {"SELECT/**/* -- all\nFROM /* a\n b */ T--", "(select \"T\" (*))"},
      {"SELECT * FROM T # no", Refused("")},
      {"SELECT * FROM T /* open", Refused("")},
      {"SELECT * FROM T WHERE a = 'x", Refused("")},
  });
}

TEST(Parse, RefusesWhatIsNotAStatement) {
  Check({
      {"SELECTT * FROMM T", Refused("Expected data manipulation")},
      {"", Refused("Expected data manipulation")},
      {"SELECT * FROM", Refused("Unexpected term")},
      {"SELECT * FROM T WHERE", Refused("Unexpected term")},
      {"SELECT * FROM T WHERE NOT", Refused("Unexpected term")},
      {"SELECT * FROM T WHERE (", Refused("Unexpected term")},
      {"SELECT * FROM T WHERE a =",
       Refused("Missing right-hand side expression of infix operator")},
      {"SELECT * FROM T WHERE a = 1 AND",
       Refused("Missing right-hand side expression of infix operator")},
      {"SELECT * FROM T WHERE a = 1 OR",
       Refused("Missing right-hand side expression of infix operator")},
      {"SELECT * FROM T WHERE a BETWEEN 1 AND", Refused("Expected expression after AND")},
      {"SELECT * FROM T WHERE IS NULL", Refused("Unexpected operator")},
      {"SELECT * FROM T WHERE a = LIKE 'x'", Refused("Unexpected operator")},
      {"SELECT * FROM T WHERE a = 1 b", Refused("Unexpected token after expression")},
      {"SELECT * FROM T WHERE a = 1)", Refused("Unexpected token after expression")},
      {"SELECT * FROM T; SELECT * FROM T",
       Refused("Unexpected token after semicolon. (Only one query is allowed.)")},
      {"SELECT * FROM T ORDER BY a WHERE a = 1", Refused("Unexpected token after expression")},
      {"DELETE FROM T WHERE a = 1 ORDER BY a", Refused("Unexpected token after expression")},
      {"DELETE FROM", Refused("Expected identifier for simple path")},
      {"SELECT FROM T", Refused("Unexpected keyword")},
      {"SELECT a, x.a FROM T", "error: Duplicate attribute in the projection: a"},
      {"SELECT m.inner FROM T", Refused("Invalid path dot component")},
      {"SELECT m.\"inner\" FROM T", "(select \"T\" (m.inner:inner))"},
      {"SELECT COUNT(*) FROM T", "error: Unexpected path component at 1:8:5"},
      {"SELECT a,\n  upper(b) FROM T", "error: Unexpected path component at 2:3:5"},
      {"INSERT INTO T VALUES {'a': 1}", Refused("Unexpected token after expression")},
      {"INSERT INTO T t VALUE {'a': 1}", Refused("Unexpected token after expression")},
      {"INSERT INTO T VALUE {'a': 1, 'a': 2}", Refused("Duplicate attribute name a")},
      {"INSERT INTO T VALUE {'a': <<1, 'x'>>}",
       Refused("A set must hold strings, numbers or binary values of one type")},
      {"INSERT INTO T VALUE {'a': set_add(a, <<1>>)}",
       "error: Unsupported data type: set_add under key root at 1:27:7"},
      {"UPDATE T WHERE a = 1", Refused("Expected data manipulation")},
      {"DELETE FROM T WHERE a = 1 RETURNING MODIFIED OLD *",
       "error: Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is "
       "allowed in DELETE statements."},
  });
}

TEST(Parse, RefusesAliasesAndLongPaths) {
  const std::string alias = "error: Aliasing is not supported";
  Check({
      {"SELECT * FROM \"T\" t", alias},
      {"SELECT * FROM \"T\" AS t WHERE a = 1", alias},
      {"UPDATE T t SET a = 1 WHERE a = 1", alias},
      {"DELETE FROM T AS t WHERE a = 1", alias},
      {"FROM T t WHERE a = 1 SET b = 1", alias},
      {"SELECT * FROM T.i.x", "error: A path may contain at most 2 components in the FROM clause"},
      {"SELECT * FROM T.\"\"", "error: Path component cannot be an empty string"},
      {"SELECT * FROM \"\"", "error: Path component cannot be an empty string"},
      {"INSERT INTO T.i VALUE {'a': 1}", "error: FROM clause may only contain a single table name"},
      {"UPDATE T.i SET a = 1 WHERE a = 1", "error: This operation is not supported on an index"},
      {"DELETE FROM T.i WHERE a = 1", "error: This operation is not supported on an index"},
  });
}

TEST(Parse, ChecksOperandsOfConditions) {
  const auto where = [](const std::string& condition) {
    return Printed("SELECT * FROM T WHERE " + condition);
  };
  const std::string type =
      "error: Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(where("a < true"), type + "<, operand type: BOOL");
  EXPECT_EQ(where("NULL >= a"), type + ">=, operand type: NULL");
  EXPECT_EQ(where("a > [1]"), type + ">, operand type: L");
  EXPECT_EQ(where("a <= {'b': 1}"), type + "<=, operand type: M");
  EXPECT_EQ(where("a BETWEEN <<1>> AND 2"), type + "BETWEEN, operand type: NS");
  EXPECT_EQ(where("a = true AND b <> [1]"), "(select \"T\" (*) (where (and (= a ?) (<> b ?))))");
  EXPECT_EQ(where("attribute_exists('x')"),
            "error: Operator or function requires a document path; operator or function: "
            "attribute_exists");
  EXPECT_EQ(where("attribute_exists(a, b)"),
            "error: Incorrect number of operands for operator or function; operator or function: "
            "attribute_exists, number of operands: 2");
  EXPECT_EQ(where("EXISTS(a)"), "error: Unrecognized function: exists at 1:23:6");
  EXPECT_EQ(where("a = 1 AND set_add(a, <<1>>)"),
            "error: Unrecognized function: set_add at 1:33:7");
  // The syntax of the whole text comes first, then the number of parameters.
  EXPECT_EQ(where("a < true AND"), Refused("Missing right-hand side expression of infix operator"));
  EXPECT_EQ(where("a < true AND b = ?"),
            "error: Number of parameters in request and statement don't match.");
}

TEST(Parse, ChecksSetFunctions) {
  const auto set = [](const std::string& value) {
    return Printed("UPDATE T SET s = " + value + " WHERE a = 1");
  };
  EXPECT_EQ(set("set_add(t, <<'x'>>)"),
            "error: The first argument to SET_ADD must equal the assignment value at 1:18:7");
  EXPECT_EQ(set("set_delete(s, 'x')"),
            "error: The second argument to SET_DELETE must be a value with type SET at 1:29:1");
  EXPECT_EQ(set("set_add(s)"), "error: SET_ADD must have exactly two arguments at 1:18:7");
  EXPECT_EQ(set("set_add(s, <<>>)"), "error: Empty bags are not supported");
  EXPECT_EQ(set("set_add(s, <<'x', 'x'>>)"),
            "error: One or more parameter values were invalid: Input collection [x, x] contains "
            "duplicates.");
}

TEST(Parse, ReadsNumbersAsJavaDoes) {
  const auto value = [](const std::string& text) {
    const auto statement = Parse("INSERT INTO T VALUE {'x': " + text + "}", {});
    if (!statement) {
      return "error: " + statement.error().message;
    }
    const AttributeValue* found = std::get<Insert>(*statement).item.Find("x");
    return found->number() ? found->number()->ToString() : std::string(TypeName(found->type()));
  };
  EXPECT_EQ(value(".73e1"), "7.3");
  EXPECT_EQ(value("-.73e1"), "-7.3");
  EXPECT_EQ(value("+1.50"), "1.5");
  const std::string overflow = "error: " + Number::Parse("1e200").error().message;
  EXPECT_EQ(value("1e200"), overflow + " under root");
  EXPECT_EQ(value("[1, 1e200]"), overflow + " under root[1]");
  EXPECT_EQ(value("{'y': [1e200]}"), overflow + " under root.y[0]");
  EXPECT_EQ(Printed("SELECT * FROM T WHERE a = 1e200"), overflow + " under root");
  EXPECT_EQ(value("1e2147483648"), Refused(""));
  EXPECT_EQ(value("1e-2147483648"), Refused(""));
  EXPECT_EQ(value("1.5e-2147483647"), Refused(""));
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
  EXPECT_EQ(Printed(nested(kConditionDepthMax)), "(select \"T\" (*) (where (= a ?)))");
  EXPECT_EQ(Printed(nested(kConditionDepthMax + 1)), Refused("The condition is nested too deep"));
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
