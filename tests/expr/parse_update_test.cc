#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

TEST(UpdateParser, BuildsTheTree) {
  const Case cases[] = {
      {"SET a = :s", "(set a :s)"},
      {"sEt a=:s", "(set a :s)"},
      {"SET a = b", "(set a b)"},
      {"SET a.b[1] = c.d, #b = :n", "(set a.b[1] c.d) (set b :n)"},
      {"SET a = b + :n", "(set a (+ b :n))"},
      {"SET a = :n - b", "(set a (- :n b))"},
      {"SET a = (b + c)", "(set a (+ b c))"},
      {"SET a = ((b.c)+(:n))", "(set a (+ b.c :n))"},
      {"SET a = (b) - (c)", "(set a (- b c))"},
      {"SET a = if_not_exists(a, :n)", "(set a (if_not_exists a :n))"},
      {"SET a = if_not_exists(a, :n) + :n", "(set a (+ (if_not_exists a :n) :n))"},
      {"SET a = if_not_exists(a, if_not_exists(b, :n))",
       "(set a (if_not_exists a (if_not_exists b :n)))"},
      {"SET a = list_append(a, :list)", "(set a (list_append a :list))"},
      {"SET a = list_append(if_not_exists(a, :list), :list)",
       "(set a (list_append (if_not_exists a :list) :list))"},
      {"REMOVE a, b.c, d[2]", "(remove a) (remove b.c) (remove d[2])"},
      {"ADD a :n, b :ss", "(add a :n) (add b :ss)"},
      {"DELETE a :ss", "(delete a :ss)"},
      {"REMOVE a SET b = :n DELETE c :ss ADD d :n",
       "(set b :n) (remove a) (add d :n) (delete c :ss)"},
      {"SET a = a", "(set a a)"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowUpdate(text), shown) << text;
  }
}

TEST(UpdateParser, NamesTheTokenOfASyntaxError) {
  const Case cases[] = {
      {"INVALID SYNTAX HERE", R"x(token: "INVALID", near: "INVALID SYNTAX")x"},
      {"SET", R"x(token: "<EOF>", near: "SET")x"},
      {"SET a", R"x(token: "<EOF>", near: "a")x"},
      {"SET a =", R"x(token: "<EOF>", near: "=")x"},
      {"SET a = 3", R"x(token: "3", near: "= 3")x"},
      {"SET a = if_not_exists(a, 0)", R"x(token: "0", near: ", 0)")x"},
      {"SET a = b + c + d", R"x(token: "+", near: "c + d")x"},
      {"SET a = (b + c) + d", R"x(token: "+", near: ") + d")x"},
      {"SET a = b + (c + d)", R"x(token: "+", near: "c + d")x"},
      {"SET a = if_not_exists(a, b + c)", R"x(token: "+", near: "b + c")x"},
      {"SET a = (b.c).d", R"x(token: ".", near: ").d")x"},
      {"SET a = (b.c)[0]", R"x(token: "[", near: ")[0")x"},
      {"SET a = b * c", R"x(token: "*", near: "b * c")x"},
      {"SET a b", R"x(token: "b", near: "a b")x"},
      {"SET :a = b", R"x(token: ":a", near: "SET :a =")x"},
      {"SET _123 = :n", R"x(token: "_", near: "SET _123")x"},
      {"SET a = set", R"x(token: "set", near: "= set")x"},
      {"SET a = :s,", R"x(token: "<EOF>", near: ",")x"},
      {"SET a = :s b = :s", R"x(token: "b", near: ":s b =")x"},
      {"SET (a = (b + c))", R"x(token: "(", near: "SET (a")x"},
      {"REMOVE a = b", R"x(token: "=", near: "a = b")x"},
      {"REMOVE :a", R"x(token: ":a", near: "REMOVE :a")x"},
      {"ADD a b", R"x(token: "b", near: "a b")x"},
      {"ADD a", R"x(token: "<EOF>", near: "a")x"},
      {"DELETE a = :ss", R"x(token: "=", near: "a = :ss")x"},
      {"ADD a if_not_exists(b)", R"x(token: "if_not_exists", near: "a if_not_exists(")x"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowUpdate(text), "Invalid UpdateExpression: Syntax error; " + shown) << text;
  }
}

TEST(UpdateParser, RefusesWhatTheGrammarAllows) {
  const Case cases[] = {
      {"SET a = f(b, c, d)", "Invalid function name; function: f"},
      {"SET a = LIST_APPEND(b, c)", "Invalid function name; function: LIST_APPEND"},
      {"SET a = size(b)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"SET a = list_append(list_append(:list, :list), :list)",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"REMOVE Absolute", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
      {"SET a = :s SET b = :s",
       "The \"SET\" section can only be used once in an update expression;"},
      {"remove a set b = :s remove c",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"SET #missing = :s",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#missing"},
      {"SET a = :missing",
       "An expression attribute value used in expression is not defined; attribute value: "
       ":missing"},
      {"SET a = :s REMOVE a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a], path two: [a]"},
      {"SET a.b[0].c = :s, #a.b = :s",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a, b, [0], c], path two: [a, b]"},
      {"remove a.#c set a[1] = d",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a, c], path two: [a, [1]]"},
      {"SET a = if_not_exists(b)",
       "Incorrect number of operands for operator or function; operator or function: "
       "if_not_exists, "
       "number of operands: 1"},
      {"SET a = list_append(b, c, d)",
       "Incorrect number of operands for operator or function; operator or function: list_append, "
       "number of operands: 3"},
      {"SET a = if_not_exists(:s, b)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET a = if_not_exists(if_not_exists(a, b), c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"SET a = ((b))", "The expression has redundant parentheses;"},
      {"SET a[3000000000] = :s",
       "List index is not within the allowable range; index: [3000000000]"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowUpdate(text), "Invalid UpdateExpression: " + shown) << text;
  }
}

TEST(UpdateParser, RefusesOperandsOfTheWrongType) {
  const Case functions[] = {
      {"SET a = list_append(:s, b)", "list_append, operand type: S"},
      {"SET a = list_append(b, :ss)", "list_append, operand type: SS"},
      {"SET a = b + :s", "+, operand type: S"},
      {"SET a = :list - b", "-, operand type: L"},
  };
  for (const auto& [text, shown] : functions) {
    EXPECT_EQ(
        ShowUpdate(text),
        "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or "
        "function: " +
            shown)
        << text;
  }
  const Case actions[] = {
      {"ADD a :s", "ADD, operand type: STRING"},
      {"DELETE a :s", "DELETE, operand type: STRING"},
      {"ADD a :null", "ADD, operand type: NULL"},
      {"ADD a :bool", "ADD, operand type: BOOLEAN"},
      {"ADD a :b", "ADD, operand type: BINARY"},
      {"ADD a :map", "ADD, operand type: MAP"},
      {"ADD a :list", "ADD, operand type: LIST"},
      {"DELETE a :n", "DELETE, operand type: NUMBER"},
      {"DELETE a :list", "DELETE, operand type: LIST"},
  };
  for (const auto& [text, shown] : actions) {
    EXPECT_EQ(
        ShowUpdate(text),
        "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: " +
            shown)
        << text;
  }
}

TEST(UpdateParser, ReportsTheWorstFaultFirst) {
  const Case cases[] = {
      {"SET a = #missing SET c = :missing",
       "The \"SET\" section can only be used once in an update expression;"},
      {"SET d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [c, [1], a], path two: [c]"},
      {"SET b = list_append(:s, a), c = if_not_exists(a) ADD a.b :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING"},
      {"SET #missing = f(:missing)", "Invalid function name; function: f"},
      {"SET a = if_not_exists(:missing)",
       "An expression attribute value used in expression is not defined; attribute value: "
       ":missing"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowUpdate(text), "Invalid UpdateExpression: " + shown) << text;
  }
}

std::string UpdateOfOperators(int count) {
  std::string text = "SET ";
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? ",a" : "a") + std::to_string(i) + "=b+c";
  }
  return text;
}

TEST(UpdateParser, LimitsTheNumberOfOperators) {
  EXPECT_TRUE(ShowUpdate(UpdateOfOperators(299)).starts_with("(set a0 (+ b c))"));
  EXPECT_TRUE(ShowUpdate(UpdateOfOperators(300)).starts_with("(set a0 (+ b c))"));
  EXPECT_EQ(ShowUpdate(UpdateOfOperators(301)),
            "Invalid UpdateExpression: The expression contains too many operators; operator count: "
            "301");
}

TEST(UpdateParser, RefusesEmptyAndLongText) {
  EXPECT_EQ(ShowUpdate(""), "Invalid UpdateExpression: The expression can not be empty;");
  EXPECT_EQ(ShowUpdate("SET" + std::string(4085, ' ') + "a = :s"), "(set a :s)");
  EXPECT_EQ(ShowUpdate("SET" + std::string(4088, ' ') + "a = :s"),
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;");
}

TEST(ProjectionParser, BuildsTheTree) {
  const Case cases[] = {
      {"a", "a"},
      {"b, a", "a b"},  // Sorted, for the walk over the item.
      {"a.c, a.b[2], a.b[10], #odd", "a.b[2] a.b[10] a.c x.y"},
      {std::string(4096, 'x'), std::string(4096, 'x')},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowProjection(text), shown) << text;
  }
}

TEST(ProjectionParser, Refuses) {
  const Case cases[] = {
      {"", "The expression can not be empty;"},
      {"!!", R"x(Syntax error; token: "!", near: "!!")x"},
      {"a,", R"x(Syntax error; token: "<EOF>", near: ",")x"},
      {"a b", R"x(Syntax error; token: "b", near: "a b")x"},
      {"a[]", R"x(Syntax error; token: "]", near: "[]")x"},
      {":s", R"x(Syntax error; token: ":s", near: ":s")x"},
      {"a, size", "Attribute name is a reserved keyword; reserved keyword: size"},
      {"#missing",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#missing"},
      {"a, b, #a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a], path two: [a]"},
      {"a.b, a[1]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path "
       "one: [a, b], path two: [a, [1]]"},
      {std::string(4097, 'x'),
       "Expression size has exceeded the maximum allowed size; expression size: 4097"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowProjection(text), "Invalid ProjectionExpression: " + shown) << text;
  }
}

}  // namespace
}  // namespace prejoin::expr
