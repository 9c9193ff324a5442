// The parser takes exactly what the printed grammar has: statements made from the grammar are read,
// and damaged ones are read if and only if the grammar still has them.
#include "tests/partiql/grammar.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "partiql/parse.h"

namespace prejoin::partiql {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(std::string(PREJOIN_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The lines of a file that hold the grammar, without what stands before them.
std::string GrammarIn(const std::string& path, const std::string& margin) {
  std::istringstream in(ReadFile(path));
  std::string grammar;
  std::string line;
  bool inside = false;
  while (std::getline(in, line)) {
    inside = inside || line.starts_with(margin + "statement  :=");
    if (inside && (!line.starts_with(margin) || line == "```")) {
      break;
    }
    if (inside) {
      grammar += line.substr(margin.size()) + "\n";
    }
  }
  return grammar;
}

std::string SourceGrammar() { return GrammarIn("src/partiql/statement_parser.cc", "//   "); }

std::uint32_t Seed() {
  const char* given = std::getenv("PREJOIN_SEED");
  const std::uint32_t seed = given == nullptr
                                 ? std::random_device()()
                                 : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
  std::cout << "seed " << seed << '\n';
  return seed;
}

std::string Joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    text += (text.empty() ? "" : " ") + token;
  }
  return text;
}

// Whether the text is well formed: what else is wrong with it is not the grammar's.
bool IsRead(const Tokens& tokens) {
  const std::vector<AttributeValue> parameters(
      static_cast<std::size_t>(std::ranges::count(tokens, "?")), AttributeValue(1));
  const auto statement = Parse(Joined(tokens), parameters);
  const std::string not_well_formed = "Statement wasn't well formed";
  // These two are noted once the text is read.
  return statement || !statement.error().message.starts_with(not_well_formed) ||
         statement.error().message.find("Duplicate attribute name") != std::string::npos ||
         statement.error().message.find("A set must hold") != std::string::npos;
}

Tokens Damaged(Tokens tokens, const Tokens& pool, std::mt19937& random) {
  for (std::size_t edits = 1 + random() % 3; edits > 0 && !tokens.empty(); --edits) {
    const std::size_t at = random() % tokens.size();
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 4) {
      case 0:
        tokens.erase(place);
        break;
      case 1:
        tokens[at] = pool[random() % pool.size()];
        break;
      case 2:
        tokens.insert(place, pool[random() % pool.size()]);
        break;
      default:
        std::swap(tokens[at], tokens[random() % tokens.size()]);
        break;
    }
  }
  return tokens;
}

TEST(Grammar, IsTheSameOnThePageAndInTheSource) {
  EXPECT_FALSE(SourceGrammar().empty());
  EXPECT_EQ(GrammarIn("docs/partiql.md", ""), SourceGrammar());
  EXPECT_EQ(Grammar(SourceGrammar()).Unknown(), std::vector<std::string>());
}

TEST(Grammar, EveryStatementOfItIsRead) {
  const Grammar grammar(SourceGrammar());
  std::mt19937 random(Seed());
  std::set<std::string> used;
  for (int round = 0; round < 20'000; ++round) {
    const Tokens tokens = grammar.Make("statement", random, used);
    ASSERT_TRUE(IsRead(tokens)) << Joined(tokens);
    if (round % 20 == 0) {
      ASSERT_TRUE(grammar.Accepts("statement", tokens)) << Joined(tokens);
    }
  }
  EXPECT_EQ(std::vector<std::string>(used.begin(), used.end()), grammar.rules());
}

TEST(Grammar, DamagedStatementsAreReadWhenItHasThem) {
  const Grammar grammar(SourceGrammar());
  std::mt19937 random(Seed());
  std::set<std::string> used;
  Tokens pool = {"a", "\"b\"", "'x'", "1", "2.5", "x1"};
  pool.insert(pool.end(), grammar.words().begin(), grammar.words().end());
  int read = 0;
  int refused = 0;
  for (int round = 0; round < 6'000; ++round) {
    const Tokens made = grammar.Make("statement", random, used);
    if (made.size() > 60) {
      continue;
    }
    const Tokens tokens = Damaged(made, pool, random);
    const bool accepted = grammar.Accepts("statement", tokens);
    ASSERT_EQ(IsRead(tokens), accepted) << Joined(tokens);
    (accepted ? read : refused) += 1;
  }
  EXPECT_GT(read, 200);
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace prejoin::partiql
