// The fuzz target on mutated statements, so that it runs in every build, not only with clang.
#include "tests/fuzz/partiql_fuzz.cc"

#include <cstdlib>
#include <iostream>
#include <random>

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

const char* const kPieces[] = {
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

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string Next() {
    std::string text = kSeeds[Below(std::size(kSeeds))];
    for (std::size_t edits = Below(6); edits > 0; --edits) {
      Edit(text);
    }
    return text;
  }

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }

  void Edit(std::string& text) {
    const std::size_t at = Below(text.size() + 1);
    switch (Below(5)) {
      case 0:
        text.insert(at, kPieces[Below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, 1 + Below(8));
        break;
      case 2: {
        const std::string& other = kSeeds[Below(std::size(kSeeds))];
        text.insert(at, other, Below(other.size()), 1 + Below(20));
        break;
      }
      case 3:
        if (at < text.size()) {
          text[at] = static_cast<char>(Below(256));
        }
        break;
      default:
        for (std::size_t times = Below(400); times > 0; --times) {
          text.insert(at, at % 3 == 0 ? "(" : at % 3 == 1 ? "[" : "NOT ");
        }
        break;
    }
  }

  std::mt19937 random_;
};

TEST(PartiqlFuzz, SurvivesMutatedStatements) {
  const char* given = std::getenv("PREJOIN_SEED");
  const std::uint32_t seed = given == nullptr
                                 ? std::random_device()()
                                 : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
  std::cout << "seed " << seed << '\n';
  Mutator mutator(seed);
  for (int round = 0; round < 30'000; ++round) {
    const std::string text = mutator.Next();
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
