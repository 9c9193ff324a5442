#include "expr/paths.h"

#include "tests/expr/expression_cases.h"

namespace prejoin::expr {
namespace {

std::string PathsOf(std::string_view text) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  std::string paths;
  ForEachPath(*ParseCondition(ConditionKind::kFilter, text, placeholders),
              [&](const Path& path) { paths += Print(path) + ' '; });
  return paths;
}

TEST(ForEachPath, VisitsEveryOperandInTheOrderOfTheText) {
  EXPECT_EQ(PathsOf("a = :s"), "a ");
  EXPECT_EQ(PathsOf(":s = a.b[1] OR size(#c) > d"), "a.b[1] c d ");
  EXPECT_EQ(PathsOf("NOT (a BETWEEN b AND c) AND d IN (e, :n, f.g)"), "a b c d e f.g ");
  EXPECT_EQ(PathsOf("contains(a, b) AND attribute_exists(c) AND begins_with(:s, d)"), "a b c d ");
  EXPECT_EQ(PathsOf(":n < :n2"), "");
}

}  // namespace
}  // namespace prejoin::expr
