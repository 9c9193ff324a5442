#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

TEST(ConditionParser, BuildsTheTree) {
  const Case cases[] = {
      {"a = :s", "(= a :s)"},
      {"a <> :s", "(<> a :s)"},
      {"a<:n", "(< a :n)"},
      {"a<=:n", "(<= a :n)"},
      {"a>:n", "(> a :n)"},
      {"a>=:n", "(>= a :n)"},
      {":n < a", "(< :n a)"},
      {":n < :n", "(< :n :n)"},
      {"a = b", "(= a b)"},
      {" \t a\r\n=\n:s ", "(= a :s)"},
      {"#a = :s", "(= a :s)"},
      {"#odd = :s", "(= x.y :s)"},
      {"a.b[3].#c[0][1] = :s", "(= a.b[3].c[0][1] :s)"},
      {"a . b [ 3 ] = :s", "(= a.b[3] :s)"},
      {"(a.b)[3] = :s", "(= a.b[3] :s)"},
      {"a BETWEEN :n AND :n2", "(between a :n :n2)"},
      {"a bEtWeEn :n aNd :n2 and b = :s", "(and (between a :n :n2) (= b :s))"},
      {"(a)between(b.c.d)and(c)", "(between a b.c.d c)"},
      {"a IN (:s)", "(in a :s)"},
      {"a in (:s, :n, b)", "(in a :s :n b)"},
      {":s in (a, b)", "(in :s a b)"},
      {"attribute_exists(a.b)", "(attribute_exists a.b)"},
      {"attribute_not_exists ( #a )", "(attribute_not_exists a)"},
      {"attribute_type(a, :s)",
       "Invalid ConditionExpression: Invalid attribute type name found; type: s, "
       "valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"begins_with(a, :s)", "(begins_with a :s)"},
      {"begins_with(:s, a)", "(begins_with :s a)"},
      {"contains(a, :list)", "(contains a :list)"},
      {"contains(:list, a)", "(contains :list a)"},
      {"size(a) > :n", "(> (size a) :n)"},
      {"size(a) = size(b.c)", "(= (size a) (size b.c))"},
      {"size(:list) < a", "(< size(:list) a)"},
      {"size(a) between :n and :n2", "(between (size a) :n :n2)"},
      {"contains(a, size(b))", "(contains a (size b))"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowCondition(text), shown) << text;
  }
}

TEST(ConditionParser, FollowsPrecedence) {
  const Case cases[] = {
      {"a = :s AND NOT b < :n", "(and (= a :s) (not (< b :n)))"},
      {"a = :s OR b = :s AND c = :s", "(or (= a :s) (and (= b :s) (= c :s)))"},
      {"a = :s AND b = :s OR c = :s", "(or (and (= a :s) (= b :s)) (= c :s))"},
      {"(a = :s OR b = :s) AND c = :s", "(and (or (= a :s) (= b :s)) (= c :s))"},
      {"a = :s AND b = :s AND c = :s", "(and (and (= a :s) (= b :s)) (= c :s))"},
      {"NOT a = :s AND b = :s", "(and (not (= a :s)) (= b :s))"},
      {"NOT (a = :s AND b = :s)", "(not (and (= a :s) (= b :s)))"},
      {"NOT NOT a = :s", "(not (not (= a :s)))"},
      {"not attribute_exists(a)", "(not (attribute_exists a))"},
      {"(a = :s)", "(= a :s)"},
      {"((a = :s) AND (b = :s))", "(and (= a :s) (= b :s))"},
      {"(a) = (:s)", "(= a :s)"},
      {"(a = :s OR (b = :s))", "(or (= a :s) (= b :s))"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowCondition(text), shown) << text;
  }
}

TEST(ConditionParser, NamesTheTokenOfASyntaxError) {
  const Case cases[] = {
      {"a-b", R"x(token: "-", near: "a-b")x"},
      {"a > 4", R"x(token: "4", near: "> 4")x"},
      {"a = :s AND", R"x(token: "<EOF>", near: "AND")x"},
      {"a =", R"x(token: "<EOF>", near: "=")x"},
      {"a", R"x(token: "<EOF>", near: "a")x"},
      {":s", R"x(token: "<EOF>", near: ":s")x"},
      {"(a = :s", R"x(token: "<EOF>", near: ":s")x"},
      {"a = :s)", R"x(token: ")", near: ":s)")x"},
      {"a = :s b", R"x(token: "b", near: ":s b")x"},
      {"a != :s", R"x(token: "!", near: "a !=")x"},
      {"!!", R"x(token: "!", near: "!!")x"},
      {"a in b", R"x(token: "b", near: "in b")x"},
      {"a in ()", R"x(token: ")", near: "()")x"},
      {"a in (:s,)", R"x(token: ")", near: ",)")x"},
      {"a between :n", R"x(token: "<EOF>", near: ":n")x"},
      {"a > between", R"x(token: "between", near: "> between")x"},
      {"attribute_exists()", R"x(token: ")", near: "()")x"},
      {"attribute_exists(a..b)", R"x(token: ".", near: "..b")x"},
      {"attribute_exists(a[b])", R"x(token: "b", near: "[b]")x"},
      {"a[-1] = :s", R"x(token: "-", near: "[-1")x"},
      {"a[:n] = :s", R"x(token: ":n", near: "[:n]")x"},
      {"a > :s.b", R"x(token: ".", near: ":s.b")x"},
      {"size(a).b > c", R"x(token: ".", near: ").b")x"},
      {"(size(a))[0] > c", R"x(token: "[", near: ")[0")x"},
      {"(a = :s) = :s", R"x(token: "=", near: ") = :s")x"},
      {"a = b = c", R"x(token: "=", near: "b = c")x"},
      {"_a = :s", R"x(token: "_", near: "_a")x"},
      {"# = :s", R"x(token: "#", near: "# =")x"},
      {"ü > a", "token: \"ü\", near: \"ü >\""},
      {"NOT", R"x(token: "<EOF>", near: "NOT")x"},
      {"a AND b = :s", R"x(token: "AND", near: "a AND b")x"},
      {"things are not gonna be ok", R"x(token: "are", near: "things are not")x"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowCondition(text), "Invalid ConditionExpression: Syntax error; " + shown) << text;
  }
}

TEST(ConditionParser, RefusesWhatTheGrammarAllows) {
  const Case cases[] = {
      {"((a = :s))", "The expression has redundant parentheses;"},
      {"a = ((:s))", "The expression has redundant parentheses;"},
      {"a = :s AND ((b = :s AND c = :s))", "The expression has redundant parentheses;"},
      {"(a)between(((b.c)).d)and(c)", "The expression has redundant parentheses;"},
      {"dog(a) = :s", "Invalid function name; function: dog"},
      {"attRIbute_exIsts(a)", "Invalid function name; function: attRIbute_exIsts"},
      {"size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"size(a) AND a = :s",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"attribute_exists(a) = :s",
       "The function is not allowed to be used this way in an expression; function: "
       "attribute_exists"},
      {"size(contains(a, b)) > c",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"a in (b, attribute_exists(c))",
       "The function is not allowed to be used this way in an expression; function: "
       "attribute_exists"},
      {"if_not_exists(a, a) = :s",
       "The function is not allowed to be used this way in an expression; function: if_not_exists"},
      {"list_append(a, b) = :s",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {":s < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"a.size = :s", "Attribute name is a reserved keyword; reserved keyword: size"},
      {"a[2147483648] = :s", "List index is not within the allowable range; index: [2147483648]"},
      {"a[99999999999999] = :s",
       "List index is not within the allowable range; index: [99999999999999]"},
      {"#missing = :s",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#missing"},
      {"a = :missing",
       "An expression attribute value used in expression is not defined; attribute value: "
       ":missing"},
      {"attribute_exists(a, b)",
       "Incorrect number of operands for operator or function; operator or "
       "function: attribute_exists, number of operands: 2"},
      {"begins_with(a)",
       "Incorrect number of operands for operator or function; operator or function: "
       "begins_with, number of operands: 1"},
      {"size(a, b) = :n",
       "Incorrect number of operands for operator or function; operator or function: "
       "size, number of operands: 2"},
      {"a = #a",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [a]"},
      {"contains(a.b[1].c, a.b[1].#c)",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; "
       "operator: contains, first operand: [a, b, [1], c]"},
      {"a IN (b, a)",
       "The first operand must be distinct from the remaining operands for this operator "
       "or function; operator: IN, first operand: [a]"},
      {"attribute_exists(:s)",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"attribute_not_exists(size(:s))",
       "Operator or function requires a document path; operator or function: attribute_not_exists"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowCondition(text), "Invalid ConditionExpression: " + shown) << text;
  }
}

TEST(ConditionParser, RefusesOperandsOfTheWrongType) {
  const Case cases[] = {
      {"begins_with(a, :n)", "begins_with, operand type: N"},
      {"begins_with(:ss, a)", "begins_with, operand type: SS"},
      {"begins_with(a, size(b))", "begins_with, operand type: N"},
      {"attribute_type(a, :n)", "attribute_type, operand type: N"},
      {"attribute_type(a, size(b))", "attribute_type, operand type: N"},
      {"attribute_type(a, b)", "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"size(:n) > a", "size, operand type: N"},
      {"size(:bool) > a", "size, operand type: BOOL"},
      {"size(:null) > a", "size, operand type: NULL"},
      {"size(size(a)) > :n", "size, operand type: N"},
      {"a < :list", "<, operand type: L"},
      {":map >= a", ">=, operand type: M"},
      {"a > :bool", ">, operand type: BOOL"},
      {"a BETWEEN :ss AND :ss", "BETWEEN, operand type: SS"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(
        ShowCondition(text),
        "Invalid ConditionExpression: Incorrect operand type for operator or function; operator "
        "or function: " +
            shown)
        << text;
  }
}

TEST(ConditionParser, RefusesBetweenBoundsThatHoldNothing) {
  EXPECT_EQ(
      ShowCondition("a BETWEEN :s2 AND :s"),
      "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than "
      "or equal to lower bound; lower bound operand: AttributeValue: {S:t}, upper bound operand: "
      "AttributeValue: {S:s}");
  EXPECT_EQ(
      ShowCondition("a BETWEEN :n AND :s"),
      "Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and "
      "upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: "
      "AttributeValue: {S:s}");
  EXPECT_EQ(
      ShowCondition("a BETWEEN :b AND :n"),
      "Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and "
      "upper bounds; lower bound operand: AttributeValue: {B:Yg==}, upper bound operand: "
      "AttributeValue: {N:1}");
  EXPECT_EQ(ShowCondition("a BETWEEN :s AND :s"), "(between a :s :s)");
}

// The first kind of fault wins wherever it stands; among those of one comparison, the first
// comparison wins.
TEST(ConditionParser, ReportsTheWorstFaultFirst) {
  const Case cases[] = {
      {"a = = b AND ((c = d))", "Syntax error; token: \"=\", near: \"= = b\""},
      {"dog(a) = :s AND ((c = :s))", "The expression has redundant parentheses;"},
      {"size(a) AND dog(b)", "Invalid function name; function: dog"},
      {"abort = :s AND size(a)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"#missing = :s AND abort = :s",
       "Attribute name is a reserved keyword; reserved keyword: abort"},
      {"attribute_exists(a, b) AND #missing = :s",
       "Incorrect number of operands for operator or function; operator or function: "
       "attribute_exists, "
       "number of operands: 2"},
      {"begins_with(#missing)",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#missing"},
      {"a = a AND begins_with(b, :n)",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; "
       "operator: =, first operand: [a]"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(ShowCondition(text), "Invalid ConditionExpression: " + shown) << text;
  }
}

TEST(ConditionParser, NamesItsKind) {
  EXPECT_EQ(ShowCondition("", ConditionKind::kCondition),
            "Invalid ConditionExpression: The expression can not be empty;");
  EXPECT_EQ(ShowCondition("  \n ", ConditionKind::kFilter),
            "Invalid FilterExpression: The expression can not be empty;");
  EXPECT_EQ(ShowCondition("", ConditionKind::kKeyCondition),
            "Invalid KeyConditionExpression: The expression can not be empty;");
}

// ---- Limits ------------------------------------------------------------------------------------

std::string ConditionOfBytes(std::size_t size) {
  return "a" + std::string(size - 6, ' ') + " = :s";
}

TEST(ConditionParser, LimitsTheSizeOfAnExpression) {
  EXPECT_EQ(ShowCondition(ConditionOfBytes(4095)), "(= a :s)");
  EXPECT_EQ(ShowCondition(ConditionOfBytes(4096)), "(= a :s)");
  EXPECT_EQ(ShowCondition(ConditionOfBytes(4097)),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; "
            "expression size: 4097");
  EXPECT_EQ(ShowCondition(std::string(100'000, '(')),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; "
            "expression size: 100000");
}

// a<b OR a<b … has an operator for each pair and one between two pairs.
std::string ConditionOfOperators(int count) {
  std::string text = count % 2 == 1 ? "a<b" : "NOT a<b";
  for (int i = 1; i < (count + 1) / 2; ++i) {
    text += " OR a<b";
  }
  return text;
}

TEST(ConditionParser, LimitsTheNumberOfOperators) {
  const std::string refusal =
      "Invalid ConditionExpression: The expression contains too many operators; operator count: "
      "301";
  EXPECT_TRUE(ShowCondition(ConditionOfOperators(299)).starts_with("(or"));
  EXPECT_TRUE(ShowCondition(ConditionOfOperators(300)).starts_with("(or"));
  EXPECT_EQ(ShowCondition(ConditionOfOperators(301)), refusal);
  EXPECT_EQ(ShowCondition(ConditionOfOperators(501)), refusal);
}

std::string InOfOperands(int count) {
  std::string text = "a IN (:s";
  for (int i = 1; i < count; ++i) {
    text += ",:s";
  }
  return text + ')';
}

TEST(ConditionParser, LimitsTheOperandsOfIn) {
  EXPECT_TRUE(ShowCondition(InOfOperands(99)).starts_with("(in a :s"));
  EXPECT_TRUE(ShowCondition(InOfOperands(100)).starts_with("(in a :s"));
  EXPECT_EQ(
      ShowCondition(InOfOperands(101)),
      "Invalid ConditionExpression: The IN operator is provided with too many operands; number "
      "of operands: 101");
}

std::string PathOfLevels(int count) {
  std::string text = "a";
  for (int i = 1; i < count; ++i) {
    text += i % 2 == 0 ? "[0]" : ".b";
  }
  return text;
}

TEST(ConditionParser, LimitsTheDepthOfAPath) {
  EXPECT_EQ(ShowCondition("attribute_exists(" + PathOfLevels(31) + ")"),
            "(attribute_exists " + PathOfLevels(31) + ")");
  EXPECT_EQ(ShowCondition("attribute_exists(" + PathOfLevels(32) + ")"),
            "(attribute_exists " + PathOfLevels(32) + ")");
  EXPECT_EQ(ShowCondition("attribute_exists(" + PathOfLevels(33) + ")"),
            "Invalid ConditionExpression: The document path has too many nesting levels; nesting "
            "levels: 33");
}

// Nested as deep as the size of an expression allows: refused, without a deep stack.
TEST(ConditionParser, RefusesDeepNesting) {
  const std::string open(2000, '(');
  const std::string close(2000, ')');
  EXPECT_EQ(ShowCondition(open + "a=b" + close),
            "Invalid ConditionExpression: The expression has redundant parentheses;");
  std::string nots;
  for (int i = 0; i < 1000; ++i) {
    nots += "NOT ";
  }
  EXPECT_EQ(
      ShowCondition(nots + "a=b"),
      "Invalid ConditionExpression: The expression contains too many operators; operator count: "
      "301");
  std::string calls;
  for (int i = 0; i < 1300; ++i) {
    calls += "f(";
  }
  EXPECT_EQ(ShowCondition("a = " + calls),
            "Invalid ConditionExpression: Invalid function name; function: f");
}

TEST(ConditionParser, AcceptsTheDeepestNestingOfAllowedOperators) {
  std::string text = "a<b";
  for (int i = 0; i < 149; ++i) {
    text = "a<b OR (" + text + ")";
  }
  EXPECT_TRUE(ShowCondition(text).starts_with("(or (< a b) (or "));
}

}  // namespace
}  // namespace prejoin::expr
