// The printed grammar of statements, as something that can make and recognise them.
#ifndef PREJOIN_TESTS_PARTIQL_GRAMMAR_H_
#define PREJOIN_TESTS_PARTIQL_GRAMMAR_H_

#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace prejoin::partiql {

// One token of a statement: as written, between blanks.
using Tokens = std::vector<std::string>;

// Rules as statement_parser.cc prints them: `name := …` with "x", WORD, [ … ], { … }, ( … ) and |.
// A lower-case word without a rule is a class of tokens: name, step, quoted, text, number, integer.
// No rule begins with itself.
class Grammar {
 public:
  explicit Grammar(const std::string& text);

  // Rules and classes that no rule defines and that are no class of tokens.
  std::vector<std::string> Unknown() const;
  const std::set<std::string>& words() const { return words_; }
  std::vector<std::string> rules() const;

  // A random statement of the rule. `used` gets the rules that took part.
  Tokens Make(const std::string& rule, std::mt19937& random, std::set<std::string>& used) const;
  // Whether the rule can be read as exactly these tokens.
  bool Accepts(const std::string& rule, const Tokens& tokens) const;

 private:
  enum class Kind { kRule, kWord, kSymbol, kSequence, kChoice, kOptional, kRepeat };
  struct Node {
    Kind kind = Kind::kSequence;
    std::string text;
    std::vector<Node> children;
  };
  class Reader;
  class Recogniser;

  void MakeNode(const Node& node, int depth, std::mt19937& random, std::set<std::string>& used,
                Tokens& out) const;
  void Collect(const Node& node, std::set<std::string>& rules);

  std::map<std::string, Node> rules_;
  std::set<std::string> words_;
  std::set<std::string> named_;  // Rules and classes that rules name.
};

// Whether the token is of the class.
bool IsOfClass(const std::string& name, const std::string& token);

}  // namespace prejoin::partiql

#endif  // PREJOIN_TESTS_PARTIQL_GRAMMAR_H_
