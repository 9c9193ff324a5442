// The fuzz target on mutated expressions, so that it runs in every build, not only with clang.
#include "tests/fuzz/expression_fuzz.cc"

#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/fuzz/mutator.h"
#include "tests/rig/seed.h"

namespace prejoin::expr {
namespace {

const char* const kSeeds[] = {
    "\1a = :s AND NOT (#b.b[1] < :n OR size(a) >= c)",
    "\1c BETWEEN :n AND :n OR c IN (:n, :s, b.a)",
    "\1attribute_exists(a[3].k) AND attribute_not_exists(z)",
    "\1attribute_type(a, :s) OR begins_with(#odd, :s) OR contains(d, :s)",
    "\2c = :n AND begins_with(#odd, :s)",
    "\2c = :n AND #odd BETWEEN :s AND :s",
    "\3SET a[1] = :s, b.c = c + :n, z = if_not_exists(q, :l) REMOVE a[0] ADD c2 :n DELETE d :ss",
    "\3SET a = list_append(if_not_exists(a, :l), :l), z = (c - (:n))",
    "\3REMOVE a[0], a[2][0], a[3].k, b.b[1], #odd",
    "\4a[3].k, a[0], b.b[1], b.c, #odd, nothing",
};

const std::vector<std::string> kPieces = {
    "AND",
    "OR",
    " NOT ",
    "(",
    ")",
    "((",
    ",",
    ".",
    "[0]",
    "[99]",
    " = ",
    " <> ",
    " < ",
    ">=",
    " IN (",
    " BETWEEN ",
    ":s",
    ":n",
    ":missing",
    "#a",
    "#odd",
    "#missing",
    "a",
    "b.b[1]",
    "size(",
    "contains(",
    "if_not_exists(",
    "list_append(",
    " SET ",
    " REMOVE ",
    " ADD ",
    " DELETE ",
    "+",
    "-",
    "status",
    "_",
    "é",
    "\xff",
};

TEST(ExpressionFuzz, SurvivesMutatedExpressions) {
  fuzz::Mutator mutator(TestSeed(), kPieces);
  for (int round = 0; round < 30'000; ++round) {
    const std::string text = mutator.Mutate(mutator.Pick(kSeeds));
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
}

TEST(ExpressionFuzz, AcceptsItsSeeds) {
  for (const char* seed : kSeeds) {
    Placeholders placeholders(&FuzzNames(), &FuzzValues());
    const std::string_view text = seed + 1;
    const bool accepted =
        seed[0] == 3   ? ParseUpdate(text, placeholders).has_value()
        : seed[0] == 4 ? ParseProjection(text, placeholders).has_value()
                       : ParseCondition(ConditionKind::kFilter, text, placeholders).has_value();
    // attribute_type with a value that names no type is there to be refused.
    EXPECT_EQ(accepted, text.find("attribute_type") == std::string_view::npos) << text;
  }
}

}  // namespace
}  // namespace prejoin::expr
