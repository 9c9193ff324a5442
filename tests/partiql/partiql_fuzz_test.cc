// The fuzz target on mutated statements, so that it runs in every build, not only with clang.
#include "tests/fuzz/partiql_fuzz.cc"

#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/fuzz/mutator.h"
#include "tests/rig/seed.h"

namespace prejoin::partiql {
namespace {

// As long as strings can hold a zero: the first byte is the number of parameters.
const std::string kSeeds[] = {
    std::string(1, '\0') +
        "SELECT * FROM \"T\".\"i\" WHERE a = 'x' AND (n > 1 OR NOT b.c < 2) "
        "ORDER BY a DESC, n ASC",
    "\2SELECT a[0], b.c FROM T WHERE a IN [?, 'y'] AND n BETWEEN -1.5e3 AND ?",
    "\1SELECT * FROM T WHERE begins_with(a, ?) AND contains(s, 'x') AND size(a) <> 3",
    std::string(1, '\0') +
        "SELECT n FROM T WHERE a IS MISSING OR b IS NOT NULL OR "
        "attribute_type(a, 'SS')",
    "\3INSERT INTO T VALUE {'a': ?, 'n': ?, 'b': {'c': [1, null, true, {'d': ?}]}, 's': <<1, 2>>}",
    "\1UPDATE T SET n = n + ?, b.c = list_append(a, [1]) REMOVE a[1], z WHERE n = 3 "
    "RETURNING ALL NEW *",
    "\4UPDATE T SET b.x = ? SET z = ? SET b.y = ? SET s = set_add(s, ?) WHERE n = 3",
    std::string(1, '\0') +
        "UPDATE T SET s = set_delete(s, <<'x'>>) WHERE n != 3 "
        "RETURNING MODIFIED OLD *",
    "\1DELETE FROM T WHERE n = 3 AND a = ? RETURNING ALL OLD *",
    std::string(1, '\0') + "EXISTS(SELECT * FROM T WHERE n = 3 AND a IS NOT MISSING)",
};

const std::vector<std::string> kPieces = {
    "SELECT ",
    " FROM ",
    " WHERE ",
    " AND ",
    " OR ",
    " NOT ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    "?",
    "'",
    "''",
    "\"",
    "\"\"",
    ",",
    ".",
    ":",
    "-",
    "+",
    "*",
    "1e400",
    "0.5",
    "[0]",
    "[4294967296]",
    " IS MISSING ",
    "NULL",
    "set_add(",
    "size(",
    " ORDER BY ",
    ";",
    " SET ",
    " REMOVE ",
    "\xff",
    "\n",
    " RETURNING ",
};

TEST(PartiqlFuzz, SurvivesMutatedStatements) {
  fuzz::Mutator mutator(TestSeed(), kPieces);
  for (int round = 0; round < 30'000; ++round) {
    const std::string text = mutator.Mutate(mutator.Pick(kSeeds));
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
}

TEST(PartiqlFuzz, AcceptsItsSeeds) {
  for (const std::string& seed : kSeeds) {
    const auto statement =
        Parse(seed.substr(1), FuzzParameters(static_cast<unsigned char>(seed[0])));
    EXPECT_TRUE(statement.has_value()) << seed.substr(1) << ": " << statement.error().message;
  }
}

}  // namespace
}  // namespace prejoin::partiql
